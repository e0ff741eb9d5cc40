# SPDX-License-Identifier: GPL-2.0-only
"""Reads trace.proto itself, so that the reader knows every field that the program writes.

It understands what that file uses: messages and enums at the top level, scalar, optional and repeated fields,
one oneof, and comments above or behind a field.
"""
import re
from pathlib import Path

_FIELD = re.compile(r"^(?:(repeated)\s+|optional\s+)?(\w+)\s+(\w+)\s*=\s*(\d+);(?:\s*//\s*(.*))?$")
_VALUE = re.compile(r"^(\w+)\s*=\s*(\d+);")
_BEGIN = re.compile(r"^(message|enum|oneof)\s+(\w+)\s*\{")


class Field:
    """A field of a message: its name, type and meaning."""

    def __init__(self, name, kind, repeated, comment):
        self.name = name
        self.kind = kind
        self.repeated = repeated
        self.comment = comment


class Schema:
    """Messages by name, each a dict of fields by number, and enums as dicts of names by value."""

    def __init__(self, text):
        self.messages = {}
        self.enums = {}
        self.comments = {}
        self._parse(text.splitlines())

    def _parse(self, lines):
        current, enum, comment = None, None, []
        for line in (raw.strip() for raw in lines):
            begin = _BEGIN.match(line)
            field, value = _FIELD.match(line), _VALUE.match(line)
            if line.startswith("//"):
                comment.append(line[2:].strip())
                continue
            if begin and begin[1] == "message":
                current = self.messages.setdefault(begin[2], {})
                self.comments[begin[2]] = " ".join(comment)
            elif begin and begin[1] == "enum":
                enum = self.enums.setdefault(begin[2], {})
            elif line == "}":
                enum = None
            elif enum is not None and value:
                enum[int(value[2])] = value[1]
            elif field:
                text = " ".join(comment + ([field[5]] if field[5] else []))
                current[int(field[4])] = Field(field[3], field[2], bool(field[1]), text)
            comment = []

    def enum_names(self, name):
        """Names of an enum's values, in lower case and without the prefix that they share."""
        values = self.enums[name]
        prefix = len(values[0]) - len("UNSPECIFIED")
        return {number: text[prefix:].lower() for number, text in values.items()}


def load_schema():
    """Reads the copy of trace.proto beside this file, or the one in the source tree."""
    here = Path(__file__).resolve().parent
    for path in (here / "trace.proto", here.parent.parent / "schema" / "trace.proto"):
        if path.exists():
            return Schema(path.read_text(encoding="utf-8"))
    raise FileNotFoundError("geotrain: trace.proto is missing beside " + str(here))
