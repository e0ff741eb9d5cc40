#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a case of cases.txt. Its summary.csv or comparison.csv must be the recorded one, byte for byte, and all values that
# the scenario expects must hold. A case of a scenario as it is written needs no record, but at least one expected value.
# A fourth word of the case is a page that shows the table: it must be the one that the program prints.
#   check.sh PROGRAM NAME            fails where the results moved, and shows how
#   check.sh --record PROGRAM NAME   records them: CHANGELOG.md then names each number that moved, and why
# The records are of Debian 12 on x86-64; another C library may round the last digit of a logarithm otherwise.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
record=
if [ "$1" = --record ]; then
    record=yes
    shift
fi
program=$1
name=$2
command=$(grep "^$name|" "$here/cases.txt" | cut -d'|' -f3)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
figures= # nobody looks at them here
[[ $command != compare* ]] || figures="--figures NONE"
# shellcheck disable=SC2086 # the command is several words
"$program" $command $figures --out "$folder/out" --json >"$folder/answer.json" 2> >(tee "$folder/log" >&2)
results=$folder/out/comparison.csv
[ -f "$results" ] || results=$folder/out/summary.csv
if [ -n "$record" ]; then
    cp "$results" "$here/$name.csv"
elif [ -f "$here/$name.csv" ]; then
    diff -u "$here/$name.csv" "$results"
fi
page=$(grep "^$name|" "$here/cases.txt" | cut -d'|' -f4)
if [ -n "$page" ]; then # a long comparison: a log file has a line for each tenth that came after ten seconds
    lines=$(grep -cE '^[^ ].*: [0-9]+ %, about [0-9]+:[0-9]{2} left$' "$folder/log" || true)
    [ "$lines" -ge 1 ] && [ "$lines" -le 10 ] || { echo "$lines lines of progress"; exit 1; }
    # shellcheck disable=SC2086
    "$program" $command $figures --out "$folder/out" --resume 2>/dev/null | grep -v '^results in ' | sed 's/^\(.\)/    \1/' >"$folder/table"
    shown=$(sed -n "/^$(head -1 "$folder/table")\$/,/^    expected values/p" "$here/../../../$page")
    diff -u - "$folder/table" <<<"$shown" || { echo "$page shows another table than geotrain $command"; exit 1; }
fi
if grep -q '"holds": false' "$folder/answer.json"; then
    echo "not as the scenario expects:"
    grep -B 5 '"holds": false' "$folder/answer.json"
    exit 1
fi
held=$(grep -c '"holds": true' "$folder/answer.json" || true)
case $command in
*' --'[^f]*) ;; # changed by an option other than --full
*) [ "$held" -gt 0 ] || { echo "no expected value is checked by: geotrain $command"; exit 1; } ;;
esac
