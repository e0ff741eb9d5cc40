#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands of a page, in order, in an empty folder, and fails where one fails.

A command is an indented line that begins with `geotrain `. A block behind "Save this as `NAME`:" is a file, and is written.
A figure that the page names as `results/....png` must be there in the end. The comment `<!-- expect FOLDER: METRIC VALUE, ... -->`
says what a folder's summary.csv holds, within 2 %. Lines with a placeholder in capitals, such as
SCENARIO or DIR, are no commands.

Usage: run_commands.py PROGRAM PAGE
"""
import csv
import math
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PLACEHOLDER = re.compile(r"(?<![\w.=/-])(SCENARIO|VERB|DIR|FILE|NAME|PROFILE|TRACE|PATH=VALUE)(?!\w)|\.\.\.")
SAVED = re.compile(r"[Ss]ave this as\s+`([^`]+)`:")
FIGURE = re.compile(r"`(results/[^`]+\.png)`")
EXPECTED = re.compile(r"<!-- expect ([^:]+): (.+) -->")
TOLERANCE = 0.02  # of an expected value


def blocks(text):
    """Yields each paragraph or indented block of a page, with blank lines inside a block kept."""
    block, indented = [], False
    for line in text.splitlines() + [""]:
        is_indented = line.startswith("    ")
        if line.strip() and is_indented != indented or not line.strip() and not indented:
            if any(part.strip() for part in block):
                yield indented, "\n".join(block).rstrip()
            block, indented = [], is_indented
        block.append(line)
    if any(part.strip() for part in block):
        yield indented, "\n".join(block).rstrip()


def steps(text):
    """Yields what a reader does: ("file", name, content), ("command", words) or ("figure", path); and what the page
    expects: ("expected", folder, metric, value)."""
    name = None
    for indented, block in blocks(text):
        if not indented:
            saved = SAVED.search(block)
            name = saved.group(1) if saved else None
            for figure in FIGURE.findall(block):
                yield "figure", figure
            for folder, values in EXPECTED.findall(block):
                for metric, value in map(str.split, values.split(",")):
                    yield "expected", folder, metric, float(value)
            continue
        lines = [line[4:] for line in block.splitlines()]
        if name:
            yield "file", name, "\n".join(lines) + "\n"
            name = None
            continue
        for line in lines:
            if line.startswith("geotrain ") and not PLACEHOLDER.search(line):
                yield "command", shlex.split(line, comments=True)


def differences(place, expected):
    """Returns a sentence for each expected value that its summary.csv does not hold."""
    wrong = []
    for folder, metric, value in expected:
        with open(pathlib.Path(place, folder, "summary.csv"), encoding="utf-8") as summary:
            found = {row["metric"]: float(row["value"]) for row in csv.DictReader(summary)}
        if abs(found.get(metric, math.inf) - value) > TOLERANCE * abs(value):
            wrong.append(f"{folder}: {metric} is {found.get(metric)}, and {value} is expected")
    return wrong


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]).resolve()
    page = pathlib.Path(sys.argv[2])
    commands, figures, expected = 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        for step, *what in steps(page.read_text(encoding="utf-8")):
            if step == "file":
                pathlib.Path(folder, what[0]).write_text(what[1], encoding="utf-8")
            elif step == "figure":
                figures.append(what[0])
            elif step == "expected":
                expected.append(what)
            else:
                commands += 1
                print("$", shlex.join(what[0]), flush=True)
                subprocess.run([program, *what[0][1:]], cwd=folder, check=True)
        wrong = differences(folder, expected)
        missing = [figure for figure in figures if not pathlib.Path(folder, figure).exists()]
    if commands == 0:
        sys.exit(f"{page}: no command found")
    if missing:
        sys.exit(f"{page}: no such figure: " + ", ".join(missing))
    if wrong:
        sys.exit(f"{page}: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
