#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# man-pages.sh PROGRAM FOLDER: every verb has a manual page that names every option, and groff and man accept them all.
set -euo pipefail
program=$1 folder=$2
for needed in groff man; do
    command -v "$needed" >/dev/null || { echo "skipped: $needed is not installed"; exit 77; }
done
"$program" --write-man-pages "$folder"
description=$(COLUMNS=200 "$program" --help | head -1)
grep -qF -- "${description//-/\\-}" "$folder/geotrain.1" || { echo "geotrain.1 lacks: $description"; exit 1; }
for page in "$folder"/geotrain*.1; do
    warnings=$(groff -man -ww -Tutf8 -z "$page" 2>&1; LC_ALL=C.UTF-8 man --warnings --local-file "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || { echo "$warnings"; exit 1; }
done
for verb in $("$program" --complete "" | grep -v '^-'); do
    shown=$(LC_ALL=C.UTF-8 MANWIDTH=200 man --local-file "$folder/geotrain-$verb.1")
    for option in $("$program" --complete "$verb" --); do
        grep -q -- "$option" <<<"$shown" || { echo "geotrain-$verb.1 lacks $option"; exit 1; }
    done
done
