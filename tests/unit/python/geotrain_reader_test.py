# SPDX-License-Identifier: GPL-2.0-only
"""Tests the Python reader against the program: same tables as its CSV export, and what a killed run
and a damaged file give. Arguments: the program and the source folder. Exits with 77, which ctest takes
for skipped, where python3-pandas is missing."""
import gzip
import io
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

PROGRAM, SOURCE = sys.argv[1], Path(sys.argv[2])
sys.path.insert(0, str(SOURCE / "analysis" / "python"))
try:
    import pandas as pd
except ImportError:
    print("SKIPPED: python3-pandas is not installed")
    sys.exit(77)
import geotrain  # noqa: E402
import wheel_of_reader  # noqa: E402


FLOWS = """
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "20Mbps" delay: "5ms" }
transfer { from: "a" to: "b" duration: "2s" flow { name: "one" } flow { name: "two" start: "1s" } }
"""


def program(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True)


def as_csv(frame):
    """The frame as it would be after a way through CSV, flags as 0 and 1."""
    flags = {name: frame[name].astype(float) for name in frame if frame[name].dtype == bool}
    text = frame.assign(**flags).to_csv(index=False)
    return pd.read_csv(io.StringIO(text))


class Reader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        library = SOURCE / "scenarios" / "library"
        cls.run_folder = cls.folder / "bubbletea"
        program("run", library / "three-dc-bubbletea.textproto", "--network", "analytic",
                "--out", cls.run_folder)
        cls.comparison_folder = cls.folder / "transfers"
        program("compare", library / "congestion-control-wan.textproto", "--vary",
                "transport.congestion_control=TcpCubic,TcpNewReno", "--seeds", "1,2", "--set",
                "transfer.messages=4", "--out", cls.comparison_folder)

        flows = cls.folder / "flows.textproto"
        flows.write_text(FLOWS)
        cls.flows_folder = cls.folder / "flows"
        program("run", flows, "--out", cls.flows_folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def expect_same_tables(self, folder):
        program("export", folder, "--format", "csv")
        results = geotrain.load(folder)
        files = {path.stem: path for path in (folder / "csv").glob("*.csv")}
        self.assertEqual(set(files), set(results.tables))
        for name, path in files.items():
            with self.subTest(table=name):
                exported = pd.read_csv(path)
                self.assertGreater(len(exported), 0)
                pd.testing.assert_frame_equal(exported, as_csv(results[name]), check_dtype=False)

    def test_a_runs_tables_equal_the_exported_ones(self):
        self.expect_same_tables(self.run_folder)

    def test_a_comparisons_tables_equal_the_exported_ones(self):
        self.expect_same_tables(self.comparison_folder)

    def test_the_tables_of_a_run_of_flows_equal_the_exported_ones(self):
        self.expect_same_tables(self.flows_folder)
        self.assertEqual(list(geotrain.load(self.flows_folder).flows.flow), ["one", "two"])

    def test_a_run_has_summary_header_and_info(self):
        run = geotrain.load(self.run_folder)
        self.assertTrue(run.complete)
        self.assertEqual(run.header["scenario"], "three-dc-bubbletea")
        self.assertEqual(run.info["exit_code"], 0)
        self.assertIn("pipeline_stages: 3", run.scenario)
        useful = run.gpu_spans[run.gpu_spans.iteration >= run.header["warmup_iterations"]]
        busy = (useful.end_ns - useful.start_ns).sum()
        ends = run.counters.time_ns
        measured = ends.iloc[-1] - ends[run.header["warmup_iterations"] - 1]
        # gpu_utilization is compute time over allocated GPU time; the end of an iteration's Counters
        # is the end of its last optimiser step, as all GPUs of this run are their own workers.
        utilization = busy / (measured * len(run.workers))
        self.assertAlmostEqual(utilization, run.metrics["gpu_utilization"], places=2)

    def test_a_comparison_has_a_row_per_variant_and_runs_by_seed(self):
        results = geotrain.load(self.comparison_folder)
        self.assertEqual(len(results.comparison), 2)
        self.assertEqual(len(results.runs), 4)
        self.assertEqual(list(results.summary.columns[:3]), ["variant", "seed", "metric"])
        means = results.summary.query("metric == 'goodput'").groupby("variant", sort=False).value.mean()
        for given, mean in zip(results.comparison["goodput_bps"], means):
            self.assertAlmostEqual(given / mean, 1, places=9)

    def test_the_recipes_of_the_page_work(self):
        page = (SOURCE / "analysis" / "python" / "README.md").read_text(encoding="utf-8")
        recipes = page.split("## Recipes")[1].split("```python")[1].split("```")[0]
        recipes = recipes.replace('"results/three-dc-gpt-1"', repr(str(self.run_folder)))
        recipes = recipes.replace('"results/three-dc-gpt"', repr(str(self.comparison_folder)))
        recipes = recipes.split("# Throughput of a link")[0] + "times = " + recipes.split("\ntimes = ")[1]
        recipes = recipes.replace("times = ", f"results = geotrain.load({str(self.comparison_folder)!r})\ntimes = ", 1)
        names = {}
        exec(recipes.replace("iteration_time", "goodput"), names)
        self.assertEqual(len(names["times"]), 4)
        busy = names["spans"].groupby("data_centre").seconds.sum()
        self.assertEqual(list(busy.index), ["dc-a", "dc-b", "dc-c"])

    def test_columns_have_meanings(self):
        meanings = geotrain.load(self.run_folder).describe("message_spans").set_index("column")
        self.assertEqual(meanings.meaning["first_byte_ns"], "at the receiving side")
        for folder in (self.run_folder, self.comparison_folder, self.flows_folder):
            results = geotrain.load(folder)
            for name, table in results.tables.items():
                with self.subTest(folder=folder, table=name):
                    meanings = results.describe(name)
                    self.assertEqual(list(meanings.column), list(table.columns))
                    self.assertTrue(meanings.meaning.all(), meanings[meanings.meaning == ""])
        with self.assertRaisesRegex(KeyError, "no table nothing; there are: .*gpu_spans"):
            geotrain.load(self.run_folder).describe("nothing")

    def test_the_wheel_holds_the_reader_and_its_schema(self):
        wheels = self.folder / "wheels"
        wheels.mkdir()
        name = wheel_of_reader.build_wheel(wheels)
        self.assertRegex(name, r"^geotrain-\d+\.\d+\.\d+-py3-none-any\.whl$")
        with zipfile.ZipFile(wheels / name) as wheel:
            wheel.extractall(wheels / "unpacked")
            recorded = wheel.read(name.split("-py3")[0] + ".dist-info/RECORD").decode().splitlines()
            self.assertEqual([line.split(",")[0] for line in recorded], wheel.namelist())
        columns = subprocess.run([sys.executable, "-B", "-c", "import geotrain, sys\n"
                                  "print(geotrain.__file__, len(geotrain.load(sys.argv[1]).gpu_spans))",
                                  self.run_folder], env={"PYTHONPATH": str(wheels / "unpacked")},
                                 check=True, capture_output=True, text=True).stdout.split()
        self.assertEqual(Path(columns[0]).parent, wheels / "unpacked" / "geotrain")
        self.assertEqual(int(columns[1]), len(geotrain.load(self.run_folder).gpu_spans))

    def test_a_killed_run_is_read_as_far_as_it_goes(self):
        killed = self.folder / "killed"
        killed.mkdir()
        raw = gzip.decompress((self.run_folder / "trace.pb").read_bytes())
        (killed / "trace.pb").write_bytes(gzip.compress(raw[: len(raw) // 2])[:-8])
        run = geotrain.load(killed)
        self.assertFalse(run.complete)
        self.assertGreater(len(run.gpu_spans), 100)
        self.assertTrue(run.summary.empty)

    def test_foreign_files_and_folders_are_refused(self):
        foreign = self.folder / "foreign"
        foreign.mkdir()
        with self.assertRaises(FileNotFoundError):
            geotrain.load(foreign)
        (foreign / "trace.pb").write_text("no gzip")
        with self.assertRaises(geotrain.TraceError):
            geotrain.load(foreign).tables
        with self.assertRaises(AttributeError):
            geotrain.load(self.run_folder).no_such_table


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
