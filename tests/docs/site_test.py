#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the site's tools: the reference of the fields, the check of links, the reader of a page's commands.

Usage: site_test.py PROJECT FOLDER
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import run_commands

project = pathlib.Path(sys.argv[1])
folder = pathlib.Path(sys.argv[2])


def stage(source, target):
    return subprocess.run([sys.executable, project / "docs/site/stage.py", source, target], capture_output=True, text=True)


def has_protobuf():
    try:
        import google.protobuf
    except ImportError:
        return False
    return shutil.which("protoc") is not None


@unittest.skipUnless(has_protobuf(), "python3-protobuf or protoc is missing")
class FieldReference(unittest.TestCase):
    def setUp(self):
        self.schema = project / "scenarios/schema/scenario.proto"
        page = folder / "fields.md"
        subprocess.run([sys.executable, project / "docs/site/field_reference.py", self.schema, page], check=True)
        self.page = page.read_text(encoding="utf-8")

    def test_names_every_field_as_often_as_the_schema(self):
        text = "\n".join(file.read_text(encoding="utf-8") for file in self.schema.parent.glob("*.proto")
                         if file.name != "rule.proto")  # what the schema says of its own fields
        fields = re.findall(r"^ +(?:optional |repeated )?[\w.]+ ([a-z]\w*) = \d+", text, re.MULTILINE)
        fields += re.findall(r"^ +([a-z]\w*) = \d+", text, re.MULTILINE)  # values of an enumeration in lower case
        rows = re.findall(r"^\| `([a-z]\w*)` \|", self.page, re.MULTILINE)
        self.assertEqual(len(rows), len(fields))
        self.assertEqual(sorted(rows), sorted(fields))

    def test_every_field_has_a_meaning(self):
        self.assertEqual(re.findall(r"^\| `[a-z]\w*` \|.*\|\s*\|$", self.page, re.MULTILINE), [])

    def test_gives_default_and_bounds(self):
        self.assertRegex(self.page, r"\| `mtu` \| integer \| default `1500`; 576 to 65535 \|")


class Links(unittest.TestCase):
    def test_a_link_to_nothing_is_an_error(self):
        with tempfile.TemporaryDirectory() as place:
            source = pathlib.Path(place, "project")
            source.mkdir()
            (source / "page.md").write_text("[there](there.md) and [gone](gone.md)")
            (source / "there.md").write_text("[itself](there.md#part) [web](https://example.org/x.md)")
            result = stage(source, pathlib.Path(place, "pages"))
            self.assertEqual(result.returncode, 1)
            self.assertIn("page.md: gone.md", result.stderr)
            self.assertNotIn("there.md: ", result.stderr)

    def test_a_linked_folder_gets_a_page_that_lists_it(self):
        with tempfile.TemporaryDirectory() as place:
            source = pathlib.Path(place, "project")
            (source / "library").mkdir(parents=True)
            (source / "library/a.textproto").write_text("a")
            (source / "page.md").write_text("[library](library)")
            self.assertEqual(stage(source, pathlib.Path(place, "pages")).returncode, 0)
            self.assertIn("[a.textproto](a.textproto)", pathlib.Path(place, "pages/library/index.md").read_text())


class Commands(unittest.TestCase):
    def test_reads_files_commands_and_figures(self):
        page = ("Save this as `a.textproto`:\n\n    name: \"a\"\n\n    mtu: 9000\n\nThen:\n\n"
                "    geotrain run a.textproto --out results/a   # comment\n    geotrain run SCENARIO\n    ls\n\n"
                "The figure is `results/a/figures/timeline.png`.\n\n<!-- expect results/a: mfu 0.2, iteration_time 3 -->\n")
        self.assertEqual(list(run_commands.steps(page)), [
            ("file", "a.textproto", 'name: "a"\n\nmtu: 9000\n'),
            ("command", ["geotrain", "run", "a.textproto", "--out", "results/a"]),
            ("figure", "results/a/figures/timeline.png"),
            ("expected", "results/a", "mfu", 0.2),
            ("expected", "results/a", "iteration_time", 3.0)])

    def test_a_value_that_is_not_the_expected_one_is_told(self):
        with tempfile.TemporaryDirectory() as place:
            pathlib.Path(place, "a").mkdir()
            pathlib.Path(place, "a/summary.csv").write_text("metric,value,unit\nmfu,0.2,\n")
            self.assertEqual(run_commands.differences(place, [("a", "mfu", 0.203)]), [])
            self.assertEqual(run_commands.differences(place, [("a", "mfu", 0.21), ("a", "other", 1)]),
                             ["a: mfu is 0.2, and 0.21 is expected", "a: other is None, and 1 is expected"])

    def test_a_failing_command_and_a_missing_figure_fail(self):
        with tempfile.TemporaryDirectory() as place:
            page = pathlib.Path(place, "page.md")
            for program, text in (("/bin/false", "    geotrain list gpus\n"),
                                  ("/bin/true", "    geotrain list gpus\n\nSee `results/none.png`.\n"),
                                  ("/bin/true", "No command.\n")):
                page.write_text(text)
                run = subprocess.run([sys.executable, run_commands.__file__, program, page], capture_output=True)
                self.assertNotEqual(run.returncode, 0, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
