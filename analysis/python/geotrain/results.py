# SPDX-License-Identifier: GPL-2.0-only
"""Result folders as DataFrames, with the same tables and columns as `geotrain export --format csv`."""
import csv
import json
from pathlib import Path

import pandas as pd

from .trace import Trace, of_job

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
    "job": "name of the job; empty for the whole run",
    "of_job": "name of the job; empty for what is of the whole run",
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
    summary: metric, value, unit, job; empty for a run that did not finish.
    header: the RunHeader as a dict; trace.jobs has that of each job. complete: whether the run wrote its end.
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
            return pd.DataFrame(columns=["metric", "value", "unit", "job"])
        return pd.read_csv(path, keep_default_na=False)

    @property
    def metrics(self):
        """The summary as a Series by metric; of a run with jobs, that of the whole run."""
        return self.metrics_of("")

    def metrics_of(self, job):
        """The metrics of a job as a Series."""
        summary = self.summary
        own = summary[summary["job"] == job] if "job" in summary else summary
        return own.set_index("metric")["value"]

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

    def worker_name(self, worker, job=0):
        of = self.trace.jobs[job]["workers"][worker]
        return f"replica {of['replica']} stage {of['stage']} ({self.node_name(of['node'])})"

    def node_name(self, node):
        return self.header["nodes"][node]["name"]

    def _flow_name(self, sample, job):
        """Name of a connection: by its flow where there are flows, else by its nodes."""
        number = sample["flow_number"]
        if number:
            name = self.trace.jobs[job]["transfers"]["flows"][number - 1]["name"]
        else:
            name = f"{self.node_name(sample['source'])} -> {self.node_name(sample['destination'])}"
        return f"{name} #{sample['connection']}"

    def _make_tables(self):
        trace = self.trace
        tables = {}
        for kind, records in trace.records.items():
            if kind == "run_header":
                tables["run"] = pd.concat(
                    [self._frame(kind, [job], 0) for job in trace.jobs], ignore_index=True
                )
            elif kind == "run_end":
                ends = [of_job(records[0], end) for end in records[0]["jobs"]] or records
                tables[kind] = self._by_job(kind, ends, range(len(ends)))
            else:
                tables[table_name(kind)] = self._by_job(kind, records, trace.job_of[kind])
        workers = [(w, i, n) for i, job in enumerate(trace.jobs) for n, w in enumerate(job["workers"])]
        for name, rows, jobs, numbers in (
            ("node", self.header["nodes"], [None] * len(self.header["nodes"]), None),
            ("worker", [row[0] for row in workers], [row[1] for row in workers], [row[2] for row in workers]),
        ):
            if rows:
                frame = self._by_job(name, rows, jobs)
                frame.insert(0, name, range(len(frame)) if numbers is None else numbers)
                tables[name + "s"] = frame
        flows = [self._flows_of(job) for job in trace.jobs]
        if any(not frame.empty for frame in flows):
            tables["flows"] = pd.concat(flows, ignore_index=True)
        if not self.summary.empty:
            tables["summary"] = self.summary
        return tables

    def _flows_of(self, job):
        """The table of a job's flows; an empty one where there is none."""
        path = self.folder / ("flows-" + job["job"] + ".csv" if job["job"] else "flows.csv")
        frame = pd.read_csv(path) if path.exists() else pd.DataFrame()
        return frame.assign(of_job=job["job"]) if job["job"] and not frame.empty else frame

    def _by_job(self, kind, records, jobs):
        """One row per record, job after job; what is of the whole run comes with the first."""
        if not self.header["jobs"]:
            return self._frame(kind, records, 0)
        parts = []
        for number, job in enumerate(self.trace.jobs):
            own = [(r, of) for r, of in zip(records, jobs) if of == number or (of is None and number == 0)]
            frame = self._frame(kind, [record for record, _ in own], number)
            frame["of_job"] = ["" if of is None else job["job"] for _, of in own]
            parts.append(frame)
        return pd.concat([part for part in parts if len(part)], ignore_index=True)

    def _frame(self, kind, records, job):
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
        columns.update(self._name_columns(columns, job))
        if kind == "flow_sample":
            columns["flow"] = [self._flow_name(record, job) for record in records]
        return pd.DataFrame(columns)

    def _name_columns(self, columns, job):
        named = {}
        for column, values in columns.items():
            last = column.rsplit("_", 1)[-1]
            if last in _WORKER_IDS:
                names = {value: self.worker_name(value, job) for value in set(values) if value is not None}
            elif last in _NODE_IDS:
                names = {value: self.node_name(value) for value in set(values) if value is not None}
            else:
                continue
            named[column + "_name"] = [names.get(value) for value in values]
        return named


class Comparison(_Tables):
    """The runs of a comparison.

    comparison: comparison.csv, a row per variant and job. runs: the Run of each (variant, seed).
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
        names = list(dict.fromkeys(names))  # jobs have rows too
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
