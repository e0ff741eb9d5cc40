# Finds loops of units that include each other: a unit is X.cc with X.h, and it leads to another where
# either of its files includes that one's header. Fails for each loop.
import pathlib
import re
import sys

FOLDERS = ["compute-model", "ns3-modules", "scenarios", "analysis"]


def units_of(root):
    """Returns by unit the units that it includes."""
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
             if path.suffix in (".cc", ".h")]
    headers = {}
    for path in files:
        if path.suffix == ".h":
            for start in range(len(path.parts)):
                headers.setdefault("/".join(path.parts[start:]), path.with_suffix(""))
    includes = {}
    for path in files:
        unit = path.with_suffix("")
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
            if headers.get(name, unit) != unit:
                includes.setdefault(unit, set()).add(headers[name])
    return includes


def reachable(includes, start):
    seen, waiting = set(), [start]
    while waiting:
        for unit in includes.get(waiting.pop(), ()):
            if unit not in seen:
                seen.add(unit)
                waiting.append(unit)
    return seen


def loops_of(includes):
    reached = {unit: reachable(includes, unit) for unit in includes}
    loops = {frozenset(other for other in reached[unit] if unit in reached.get(other, ()))
             for unit in includes if unit in reached[unit]}
    return sorted(loops, key=sorted)


def main():
    # The finder finds: a loop of two, and no loop where one leads only there.
    assert loops_of({"a": {"b"}, "b": {"a", "c"}}) == [frozenset({"a", "b"})]
    assert not loops_of({"a": {"b", "c"}, "b": {"c"}})
    loops = loops_of(units_of(pathlib.Path(sys.argv[1])))
    for loop in loops:
        print("these units include each other: " + ", ".join(sorted(map(str, loop))))
    return 1 if loops else 0


sys.exit(main())
