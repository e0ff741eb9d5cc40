#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Collects the pages of the site: every Markdown file of the project, at its own place, and what they link to.

So the pages stand beside the code that they describe, and their relative links hold both there and on the site. A linked
folder without a page of its own gets one that lists its files. A link to a file that doesn't exist ends with exit 1.

Usage: stage.py PROJECT FOLDER
"""
import pathlib
import re
import shutil
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
LEFT_OUT = {"build", "results", "tests"}


def pages_of(project):
    """Returns the project's Markdown files, relative to it, in order."""
    found = (path.relative_to(project) for path in project.rglob("*.md"))
    return sorted(path for path in found
                  if path.parts[0] not in LEFT_OUT and not path.parts[0].startswith("."))


def copy(project, folder, path):
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(project / path, target)


def write_listing(project, folder, path):
    """Writes a page that lists the files of a folder, and copies them."""
    files = sorted(file.relative_to(project / path).as_posix()
                   for file in (project / path).rglob("*") if file.is_file())
    (folder / path).mkdir(parents=True, exist_ok=True)
    for name in files:
        copy(project, folder, path / name)
    lines = [f"# {path.as_posix()}", ""] + [f"- [{name}]({name})" for name in files] + [""]
    (folder / path / "index.md").write_text("\n".join(lines), encoding="utf-8")


def stage_links(project, folder, page):
    """Copies what a page links to, and returns its links to nothing."""
    broken = []
    for link in LINK.findall((project / page).read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        target = (project / page.parent / link).resolve()
        if not target.is_relative_to(project) or not target.exists():
            if not (folder / page.parent / link).exists():  # pages that the build makes
                broken.append(f"{page}: {link}")
        elif target.is_dir():
            if not (target / "README.md").exists():
                write_listing(project, folder, target.relative_to(project))
        elif target.suffix != ".md":
            copy(project, folder, target.relative_to(project))
    return broken


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    project, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    pages = pages_of(project)
    for page in pages:
        copy(project, folder, page)
    broken = [link for page in pages for link in stage_links(project, folder, page)]
    if broken:
        sys.exit("links to nothing:\n  " + "\n  ".join(broken))


if __name__ == "__main__":
    main()
