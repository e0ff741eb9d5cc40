#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# browser.sh PROGRAM SOURCE FOLDER: reports of a run and of comparisons open in Chromium without a console error, and neither the
# page nor a table in it is wider than a phone of 390 px, or than a screen of 1,280 px. A tap enlarges a figure on the phone. In
# print, what is folded is open. Exits with 77, which ctest takes for skipped, where Chromium is missing.
set -euo pipefail
program=$1 library=$2/scenarios/library folder=$3
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "SKIPPED: chromium is not installed"
    exit 77
}
rm -rf "${folder:?}"
mkdir -p "$folder"

# open_page PAGE [SCRIPT] [WIDTH]: prints what the console of the browser says of a page, after a script of the test's own has measured the page. The copy of
# the page allows that script; the page itself allows none.
open_page() {
    local copy=$folder/copy.html
    sed -e "s/default-src 'none'/default-src 'none'; script-src 'unsafe-inline'/" \
        -e "s|</body>|<script>console.log('too wide by ' + (document.documentElement.scrollWidth - document.documentElement.clientWidth) + ', tables by ' + Math.max(0, ...[...document.querySelectorAll('.scroll')].map(e => e.scrollWidth - e.clientWidth)) + ', pictures ' + document.querySelectorAll('figure svg').length + ', enlarged ' + [...document.querySelectorAll('figure label')].every(e => { e.click(); return e.querySelector('svg').getBoundingClientRect().width > 700 }) + ', ids twice ' + (document.querySelectorAll('[id]').length - new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size)); ${2:-}</script></body>|" \
        "$1" >"$copy"
    # A window cannot be narrower than 500 px; a frame can.
    echo "<iframe src='copy.html' style='border:0;width:${3:-390}px;height:844px'></iframe>" >"$folder/phone.html"
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$folder/profile" \
        --window-size=1400,900 --dump-dom "file://$folder/phone.html" 2>&1 >/dev/null | grep CONSOLE || true
}

expect_good() {
    local said
    said=$(open_page "$1" "" "${2:-390}")
    echo "$1: $said"
    [ "$(grep -c CONSOLE <<<"$said")" -eq 1 ] || { echo "FAILED: the console has errors"; exit 1; }
    grep -q "too wide by 0, tables by 0, pictures [1-9][0-9]*, enlarged ${3:-true}, ids twice 0" <<<"$said" || {
        echo "FAILED: wider than the screen, without pictures that a tap enlarges, or an id twice"
        exit 1
    }
}

"$program" run "$library/three-dc-bubbletea.textproto" --network analytic --quiet --out "$folder/run"
"$program" compare "$library/three-dc-gpt.textproto" --network analytic --quiet --out "$folder/comparison"
expect_good "$folder/run/report.html"
expect_good "$folder/comparison/report.html"
# The table of most columns, with intervals.
"$program" compare "$library/atlas-bubbletea.textproto" --network analytic --set run.iterations=1 --quiet --out "$folder/columns"
expect_good "$folder/columns/report.html"
expect_good "$folder/columns/report.html" 1280 false

if command -v pdftotext >/dev/null; then
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --no-pdf-header-footer \
        --print-to-pdf="$folder/run.pdf" "file://$folder/run/report.html" 2>/dev/null
    pdftotext "$folder/run.pdf" "$folder/run.txt"
    grep -q 'pipeline_stages: 3' "$folder/run.txt" || { echo "FAILED: the scenario is not in print"; exit 1; }
fi

# The test itself notices an error and a page that is too wide.
[ "$(open_page "$folder/run/report.html" "console.error('x');" | grep -c CONSOLE)" -eq 2 ]
sed 's|</body>|<div style="width:700px">wide</div></body>|' "$folder/run/report.html" >"$folder/wide.html"
! open_page "$folder/wide.html" | grep -q "too wide by 0,"
