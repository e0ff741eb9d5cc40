#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Copies the schedules and the test of every schedule, and applies the diff of CONTRIBUTING.md to them.
# Context must match, so that the page ages no further than the code.
#   apply_first_change.sh PROJECT FOLDER TEST
set -eu
rm -rf "$2"
mkdir -p "$2/compute-model" "$2/$(dirname "$3")"
cp -r "$1/compute-model/schedule" "$2/compute-model/"
cp "$1/$3" "$2/$3"
sed -n '/^```diff$/,/^```$/{/^```/d;p;}' "$1/CONTRIBUTING.md" > "$2/first.diff"
cd "$2"
patch -p1 --fuzz=0 --quiet < first.diff
