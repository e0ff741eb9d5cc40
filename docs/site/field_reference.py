#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the reference of a scenario's fields as a Markdown page.

The page comes from scenario.proto and the files that it imports: the comments are its sentences, and
each field's rule gives the default and the bounds. protoc reads the files, so that the page can't
disagree with the program.

Usage: field_reference.py SCENARIO.PROTO PAGE.md
"""
import importlib
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2

MESSAGE_TYPE, ENUM_TYPE, FIELD, NESTED_ENUM, VALUE = 4, 5, 2, 4, 2  # field numbers in descriptor.proto
SCALARS = {
    descriptor_pb2.FieldDescriptorProto.TYPE_STRING: "text",
    descriptor_pb2.FieldDescriptorProto.TYPE_BOOL: "true or false",
    descriptor_pb2.FieldDescriptorProto.TYPE_INT64: "integer",
    descriptor_pb2.FieldDescriptorProto.TYPE_UINT64: "integer",
    descriptor_pb2.FieldDescriptorProto.TYPE_INT32: "integer",
    descriptor_pb2.FieldDescriptorProto.TYPE_DOUBLE: "number",
}
QUANTITIES = {1: "duration", 2: "rate", 3: "size", 4: "queue"}
OPTIONS = {"Rule", "Quantity"}  # what the schema says of its own fields
INTRODUCTION = """# The fields of a scenario

A scenario is a text file of the fields below, written as `name: value`, and as `name { ... }` where the type is a message.
What a scenario leaves out has its default; an unknown field is refused. `geotrain check FILE` fills in every default and
prints the result. `--set PATH=VALUE` sets a field by its path, as in `--set wan_link[0].delay=40ms`.

| value | written as |
|---|---|
| duration | a number with ns, us, ms, s, min or h: `"20ms"` |
| rate | a number with bps, kbps, Mbps, Gbps or Tbps, decimal: `"5Gbps"` |
| size | a number with B, kB, MB, GB or TB (decimal), or KiB, MiB, GiB or TiB (binary): `"1.5MB"` |
| queue | bandwidth-delay products, packets or a size: `"1bdp"`, `"500packets"`, `"4MB"` |
| text | in quotes: `"dc-a"` |

"""


def read_schema(proto):
    """Returns the descriptors, with comments, of the file and of those that it imports from its folder, and
    the extension that holds a field's rule."""
    with tempfile.TemporaryDirectory() as folder:
        described = pathlib.Path(folder) / "schema.bin"
        subprocess.run(
            ["protoc", f"--proto_path={proto.parent.parent}", "--include_source_info", "--include_imports",
             f"--descriptor_set_out={described}", f"--python_out={folder}",
             *map(str, sorted(proto.parent.glob("*.proto")))],
            check=True)
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        rule = importlib.import_module(f"{proto.parent.name}.rule_pb2").rule
        files = descriptor_pb2.FileDescriptorSet.FromString(described.read_bytes()).file
        ours = [file for file in files if file.package == "geotrain.scenario"]
        return sorted(ours, key=lambda file: (not file.name.endswith(proto.name), file.name)), rule


def prose(text):
    """Returns a comment as one paragraph that a table's cell can hold."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def type_of(field, rule):
    if field.type_name:
        name = field.type_name.removeprefix(".geotrain.scenario.")
        text = f"[{name}](#{name.lower().replace('.', '')})"
    elif rule.quantity:
        text = QUANTITIES[rule.quantity]
    else:
        text = SCALARS[field.type]
    repeated = field.label == descriptor_pb2.FieldDescriptorProto.LABEL_REPEATED
    return f"list of {text}" if repeated else text


def bounds_of(rule):
    """Returns what a field's rule says: required, default, least and greatest value."""
    parts = []
    if rule.required:
        parts.append("required")
    if rule.HasField("default"):
        parts.append(f"default `{rule.default}`")
    least = f"{rule.min:g}" if rule.HasField("min") else rule.at_least
    greatest = f"{rule.max:.15g}" if rule.HasField("max") else rule.at_most
    if least and greatest:
        parts.append(f"{least} to {greatest}")
    elif least:
        parts.append(f"at least {least}")
    elif greatest:
        parts.append(f"at most {greatest}")
    if rule.file_name_part:
        parts.append("letters, digits and . _ + -")
    return "; ".join(parts)


def table_of_fields(message, path, comments, rule_extension):
    lines = [f"## {message.name}", "", prose(comments.get(path, "")), "",
             "| field | type | rule | meaning |", "|---|---|---|---|"]
    for number, field in enumerate(message.field):
        rule = field.options.Extensions[rule_extension]
        meaning = prose(comments.get((*path, FIELD, number), ""))
        lines.append(f"| `{field.name}` | {type_of(field, rule)} | {bounds_of(rule)} | {meaning} |")
    return lines + [""]


def table_of_values(enum, name, path, comments):
    lines = [f"## {name}", "", prose(comments.get(path, "")), "", "| value | meaning |", "|---|---|"]
    for number, value in enumerate(enum.value):
        if not value.name.endswith("UNSPECIFIED"):
            lines.append(f"| `{value.name}` | {prose(comments.get((*path, VALUE, number), ''))} |")
    return lines + [""]


def sections_of(schema, rule_extension):
    comments = {tuple(place.path): place.leading_comments or place.trailing_comments
                for place in schema.source_code_info.location}
    lines = []
    for index, message in enumerate(schema.message_type):
        path = (MESSAGE_TYPE, index)
        if message.name in OPTIONS:
            continue
        if message.field:
            lines += table_of_fields(message, path, comments, rule_extension)
        for number, enum in enumerate(message.enum_type):
            name = f"{message.name}.{enum.name}"
            lines += table_of_values(enum, name, (*path, NESTED_ENUM, number), comments)
    for index, enum in enumerate(schema.enum_type):
        if enum.name not in OPTIONS:
            lines += table_of_values(enum, enum.name, (ENUM_TYPE, index), comments)
    return lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    schemas, rule = read_schema(pathlib.Path(sys.argv[1]).resolve())
    lines = INTRODUCTION.splitlines()
    for schema in schemas:
        lines += sections_of(schema, rule)
    pathlib.Path(sys.argv[2]).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
