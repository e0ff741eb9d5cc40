# SPDX-License-Identifier: GPL-2.0-only
"""Decodes trace.pb: a gzip stream of Protobuf records, each after its length as a varint.

The trace of a killed run stops without a gzip trailer, and is read as far as it goes.
"""
import struct
import zlib

from .schema import load_schema

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_SIGNED = {"int32", "int64"}


class TraceError(Exception):
    """A file that is no trace, or a damaged one."""


def decompressed(path):
    """Returns the records' bytes. What a kill left behind the last flush is not there."""
    stream = zlib.decompressobj(wbits=31)
    parts = []
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                parts.append(stream.decompress(block))
    except zlib.error as error:
        raise TraceError(f"{path}: is no gzip stream, or damaged ({error})") from None
    return b"".join(parts)


def _varint(data, at):
    byte = data[at]
    at += 1
    if byte < 128:
        return byte, at
    value, shift = byte & 127, 7
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


class Decoder:
    """Turns messages into dicts with a value for every field."""

    def __init__(self, schema):
        self.schema = schema
        self._enums = {name: schema.enum_names(name) for name in schema.enums}
        self._defaults = {}

    def default(self, kind):
        """Value of a field of this type that is not in the message."""
        if kind in self._enums:
            return self._enums[kind][0]
        if kind in self.schema.messages:
            return None
        return {"string": "", "bool": False, "double": 0.0, "float": 0.0}.get(kind, 0)

    def _blank(self, message):
        if message not in self._defaults:
            fields = self.schema.messages[message].values()
            self._defaults[message] = {f.name: self.default(f.kind) for f in fields if not f.repeated}
            self._defaults[message, "lists"] = [f.name for f in fields if f.repeated]
        values = dict(self._defaults[message])
        for name in self._defaults[message, "lists"]:
            values[name] = []
        return values

    def decode(self, message, data, at=0, end=None):
        """Returns the fields of the message in data[at:end]. Unknown fields are passed over."""
        end = len(data) if end is None else end
        fields = self.schema.messages[message]
        values = self._blank(message)
        while at < end:
            tag, at = _varint(data, at)
            field = fields.get(tag >> 3)
            wire = tag & 7
            if wire == _VARINT:
                value, at = _varint(data, at)
                value = self._number(field, value)
            elif wire == _FIXED64:
                (value,) = struct.unpack_from("<d", data, at)
                at += 8
            elif wire == _BYTES:
                size, at = _varint(data, at)
                value = self._text(field, data, at, at + size)
                at += size
            elif wire == _FIXED32:
                (value,) = struct.unpack_from("<f", data, at)
                at += 4
            else:
                raise TraceError("a record is damaged")
            if field is None:
                continue
            if field.repeated:
                values[field.name].append(value)
            else:
                values[field.name] = value
        return values

    def _number(self, field, value):
        if field is None:
            return value
        if field.kind == "bool":
            return bool(value)
        if field.kind in _SIGNED:
            return value - (1 << 64) if value >= 1 << 63 else value
        names = self._enums.get(field.kind)
        return value if names is None else names.get(value, str(value))

    def _text(self, field, data, at, end):
        if field is None:
            return None
        if field.kind == "string":
            return data[at:end].decode("utf-8")
        return self.decode(field.kind, data, at, end)


def of_job(whole, job):
    """The fields of a job's header or end over those of the run."""
    merged = dict(whole)
    for name, value in job.items():
        if isinstance(value, list):
            merged[name] = whole[name] + value
        elif isinstance(value, dict) and isinstance(whole[name], dict):
            merged[name] = of_job(whole[name], value)
        elif value not in ("", 0, None, "unspecified"):
            merged[name] = value
    merged["jobs"] = []
    return merged


class Trace:
    """All records of a trace: the header, and the others by kind in their order.

    jobs: the header of each job as if it ran alone; the header alone in a run without jobs.
    job_of: the number of each record's job, by kind as in records; None for what is of the whole run.
    """

    def __init__(self, path):
        self.schema = load_schema()
        self.records = {}
        self.job_of = {}
        data = decompressed(path)
        decoder = Decoder(self.schema)
        at = 0
        try:
            while at < len(data):
                size, at = _varint(data, at)
                if at + size > len(data):
                    break  # cut in the middle of a record
                self._add(decoder, data, at, at + size)
                at += size
        except (IndexError, UnicodeDecodeError, struct.error):
            raise TraceError(f"{path}: a record is damaged") from None
        if "run_header" not in self.records:
            raise TraceError(f"{path}: ends before its run header")
        self.header = self.records["run_header"][0]
        self.jobs = [of_job(self.header, job) for job in self.header["jobs"]] or [self.header]
        self.complete = "run_end" in self.records

    def _add(self, decoder, data, at, end):
        """Adds the record in data[at:end]: its kind, and behind that the number of its job."""
        tag, start = _varint(data, at)
        size, start = _varint(data, start)
        field = self.schema.messages["Record"].get(tag >> 3)
        if field is None:
            return
        record = decoder.decode(field.kind, data, start, start + size)
        job = 0
        if start + size < end:
            _, behind = _varint(data, start + size)
            job, _ = _varint(data, behind)
        is_of_run = field.name in ("link_sample", "warning") or (
            field.name == "flow_sample" and not record["flow_number"]
        )
        self.records.setdefault(field.name, []).append(record)
        self.job_of.setdefault(field.name, []).append(None if is_of_run else job)
