# SPDX-License-Identifier: GPL-2.0-only
"""Result folders as DataFrames, with the same tables and columns as `geotrain export --format csv`."""
import csv
import json
from pathlib import Path

import pandas as pd

from .trace import Trace

_WORKER_IDS = {"worker", "sender", "receiver"}
_NODE_IDS = {"node", "source", "destination"}
# Messages of the tables that have no records of their own.
_MESSAGES = {"nodes": "Node", "workers": "Worker", "flows": "TransferFlow"}
_MEANINGS = {  # of columns that are not in the trace
    "variant": "name of the run's folder in the comparison",
    "seed": "of all random draws",
    "from": "data centre or node that sends",
    "to": "data centre or node that receives",
    "start_s": "since time 0",
    "stop_s": "since time 0",
    "node": "as index into nodes",
    "worker": "as index into workers",
    "flow": "the flow, or the nodes, and the number of the connection",
    "metric": "defined in analysis/README.md",
    "value": "of the metric",
    "unit": "empty for shares, counts and bytes",
}


def _meaning_of_name(column):
    """Meaning of a column that explains an id, or that is a metric."""
    if column.endswith("_name"):
        return "name of " + column[: -len("_name")]
    return "a metric of the flow, defined in analysis/README.md"


def table_name(kind):
    """Name of the table of a kind of record: "gpu_spans" for gpu_span."""
    if kind == "run_header":
        return "run"
    return kind if kind.endswith("s") or kind == "run_end" else kind + "s"


class _Tables:
    """Access to self.tables by name, as items and as attributes."""

    def __getitem__(self, name):
        return self.tables[name]

    def __getattr__(self, name):
        if name.startswith("_") or name == "tables":
            raise AttributeError(name)
        if name in self.tables:
            return self.tables[name]
        raise AttributeError(f"no table {name}; there are: {', '.join(sorted(self.tables))}")

    def __dir__(self):
        return [*super().__dir__(), *self.tables]

    def describe(self, table):
        """What each column of a table means, in the words of the trace's schema."""
        if table not in self.tables:
            raise KeyError(f"no table {table}; there are: {', '.join(sorted(self.tables))}")
        meanings = {**_MEANINGS, **self._meanings(table)}
        columns = self.tables[table].columns
        rows = [(name, meanings.get(name, _meaning_of_name(name))) for name in columns]
        return pd.DataFrame(rows, columns=["column", "meaning"])


class Run(_Tables):
    """One run.

    tables: a DataFrame per kind of record that the trace holds. Times are ns since the start.
    summary: metric, value, unit; empty for a run that did not finish.
    header: the RunHeader as a dict. complete: whether the run wrote its end.
    info: run-info.json (versions, command line, wall time). scenario: the resolved scenario's text.
    """

    def __init__(self, folder, variant=""):
        self.folder = Path(folder)
        self.variant = variant
        self._trace = None
        self._tables = None

    def __repr__(self):
        return f"<geotrain.Run {self.folder}>"

    @property
    def trace(self):
        if self._trace is None:
            self._trace = Trace(self.folder / "trace.pb")
        return self._trace

    @property
    def header(self):
        return self.trace.header

    @property
    def complete(self):
        return self.trace.complete

    @property
    def warnings(self):
        return [warning["text"] for warning in self.trace.records.get("warning", [])]

    @property
    def summary(self):
        path = self.folder / "summary.csv"
        if not path.exists():
            return pd.DataFrame(columns=["metric", "value", "unit"])
        return pd.read_csv(path, keep_default_na=False)

    @property
    def metrics(self):
        """The summary as a Series by metric."""
        return self.summary.set_index("metric")["value"]

    @property
    def info(self):
        path = self.folder / "run-info.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    @property
    def seed(self):
        return self.info.get("seed", 0)

    @property
    def scenario(self):
        path = self.folder / "scenario.textproto"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def tables(self):
        if self._tables is None:
            self._tables = self._make_tables()
        return self._tables

    def _meanings(self, table):
        """Comments of the schema by column; those of messages inside have their name in front."""
        messages = self.trace.schema.messages
        message = _MESSAGES.get(table)
        for field in messages["Record"].values():
            message = field.kind if table_name(field.name) == table else message
        meanings = {}
        for field in messages.get(message, {}).values():
            meanings[field.name] = field.comment
            for inner in messages.get(field.kind, {}).values():
                meanings[f"{field.name}_{inner.name}"] = inner.comment
        return {name: text for name, text in meanings.items() if text}

    def worker_name(self, worker):
        of = self.header["workers"][worker]
        return f"replica {of['replica']} stage {of['stage']} ({self.node_name(of['node'])})"

    def node_name(self, node):
        return self.header["nodes"][node]["name"]

    def _flow_name(self, sample):
        """Name of a connection: by its flow where there are flows, else by its nodes."""
        number = sample["flow_number"]
        if number:
            name = self.header["transfers"]["flows"][number - 1]["name"]
        else:
            name = f"{self.node_name(sample['source'])} -> {self.node_name(sample['destination'])}"
        return f"{name} #{sample['connection']}"

    def _make_tables(self):
        header = self.header
        tables = {}
        for kind, records in self.trace.records.items():
            tables[table_name(kind)] = self._frame(kind, records)
        for name in ("nodes", "workers"):
            if header[name]:
                frame = self._frame(name[:-1], header[name])
                frame.insert(0, name[:-1], range(len(frame)))
                tables[name] = frame
        flows = self.folder / "flows.csv"
        if flows.exists():
            tables["flows"] = pd.read_csv(flows)
        if not self.summary.empty:
            tables["summary"] = self.summary
        return tables

    def _frame(self, kind, records):
        """One row per record; messages inside become columns, lists of messages are left out."""
        messages = self.trace.schema.messages
        of = {field.name: field.kind for field in messages["Record"].values()}
        message = of.get(kind) or {"node": "Node", "worker": "Worker"}[kind]
        columns = {}
        for field in messages[message].values():
            values = [record[field.name] for record in records]
            if field.kind not in messages:
                columns[field.name] = [";".join(v) for v in values] if field.repeated else values
            elif not field.repeated:
                for inner in messages[field.kind].values():
                    if inner.repeated and inner.kind in messages:
                        continue
                    columns[f"{field.name}_{inner.name}"] = [
                        None if value is None else value[inner.name] for value in values
                    ]
        columns.update(self._name_columns(columns))
        if kind == "flow_sample":
            columns["flow"] = [self._flow_name(record) for record in records]
        return pd.DataFrame(columns)

    def _name_columns(self, columns):
        named = {}
        for column, values in columns.items():
            last = column.rsplit("_", 1)[-1]
            if last in _WORKER_IDS:
                name_of = self.worker_name
            elif last in _NODE_IDS:
                name_of = self.node_name
            else:
                continue
            names = {value: name_of(value) for value in set(values) if value is not None}
            named[column + "_name"] = [names.get(value) for value in values]
        return named


class Comparison(_Tables):
    """The runs of a comparison.

    comparison: comparison.csv, a row per variant. runs: the Run of each (variant, seed).
    tables: as of a run, over all runs, with columns variant and seed in front.
    summary: metric, value and unit of each run.
    """

    def __init__(self, folder, runs):
        self.folder = Path(folder)
        self.runs = {(run.variant, run.seed): run for run in runs}
        self._tables = None

    def __repr__(self):
        return f"<geotrain.Comparison {self.folder}, {len(self.runs)} runs>"

    @property
    def comparison(self):
        path = self.folder / "comparison.csv"
        return pd.read_csv(path) if path.exists() else pd.DataFrame()

    @property
    def variants(self):
        return list(dict.fromkeys(variant for variant, _ in self.runs))

    @property
    def summary(self):
        return self._concat({key: run.summary for key, run in self.runs.items()})

    @property
    def tables(self):
        if self._tables is None:
            names = dict.fromkeys(name for run in self.runs.values() for name in run.tables)
            self._tables = {
                name: self._concat(
                    {k: run.tables[name] for k, run in self.runs.items() if name in run.tables}
                )
                for name in names
            }
        return self._tables

    def _meanings(self, table):
        return next(run._meanings(table) for run in self.runs.values() if table in run.tables)

    @staticmethod
    def _concat(frames):
        parts = []
        for (variant, seed), frame in frames.items():
            part = frame.copy()
            if "variant" not in part:  # the table "run" has both itself
                part.insert(0, "variant", variant)
                part.insert(1, "seed", seed)
            parts.append(part)
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _variants(folder):
    """Variants in the order of comparison.csv; those that are not in it follow by name."""
    names = []
    table = folder / "comparison.csv"
    if table.exists():
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        names = [row[0] for row in rows if row and row[0] and (folder / row[0]).is_dir()]
    others = sorted(path.name for path in folder.iterdir() if path.is_dir())
    return names + [name for name in others if name not in names]


def _runs_in(folder):
    for variant in _variants(folder):
        below = folder / variant
        if (below / "trace.pb").exists():
            yield Run(below, variant)
            continue
        seeds = [path for path in below.glob("seed-*") if (path / "trace.pb").exists()]
        for path in sorted(seeds, key=lambda path: (len(path.name), path.name)):
            yield Run(path, variant)


def load(folder):
    """Reads a folder that `geotrain run` (or live) or `geotrain compare` wrote, finished or not."""
    folder = Path(folder)
    if (folder / "trace.pb").exists():
        return Run(folder)
    runs = list(_runs_in(folder)) if folder.is_dir() else []
    if not runs:
        raise FileNotFoundError(f"{folder}: must be a folder that geotrain run or compare wrote")
    return Comparison(folder, runs)
