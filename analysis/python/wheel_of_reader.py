# SPDX-License-Identifier: GPL-2.0-only
"""Packs the reader and the trace's schema, which lies outside of this folder, into a wheel (PEP 427).

It is the build backend of pyproject.toml (PEP 517) and needs nothing but Python.
"""
import base64
import hashlib
import re
import zipfile
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def _version():
    project = (_HERE.parent.parent / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(\s*geotrain\s+VERSION\s+([\d.]+)", project).group(1)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel into `wheel_directory` and returns its name."""
    name = f"geotrain-{_version()}"
    about = f"{name}.dist-info/"
    files = {f"geotrain/{path.name}": path.read_bytes() for path in sorted((_HERE / "geotrain").glob("*.py"))}
    files["geotrain/trace.proto"] = (_HERE.parent / "schema" / "trace.proto").read_bytes()
    files[about + "METADATA"] = (f"Metadata-Version: 2.1\nName: geotrain\nVersion: {_version()}\n"
                                 "Requires-Python: >=3.9\nRequires-Dist: pandas\n").encode()
    files[about + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: geotrain\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[about + "RECORD"] = (record + about + "RECORD,,\n").encode()
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the reader needs the schema, which lies outside of its folder: build a wheel")
