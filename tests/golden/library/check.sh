#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a case of cases.txt and compares its summary.csv or comparison.csv with the recorded one, byte for byte.
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
# shellcheck disable=SC2086 # the command is several words
"$program" $command --out "$folder/out" --quiet >"$folder/table"
results=$folder/out/comparison.csv
[ -f "$results" ] || results=$folder/out/summary.csv
if [ -n "$record" ]; then
    cp "$results" "$here/$name.csv"
else
    diff -u "$here/$name.csv" "$results"
fi
