#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# packaged.sh SOURCE BUILD: the target `packaged`, which the page and the Dockerfile build before cpack, makes every library
# and program that is installed. cpack itself builds nothing.
set -euo pipefail
source=$1 build=$2
command -v ninja >/dev/null || { echo "skipped: ninja is not installed"; exit 77; }
cd "$build"
test -e build.ninja || { echo "skipped: not built by ninja"; exit 77; }
made=$(ninja -t commands packaged | grep -oE '(-o|ar qc) [^ ]+' | sed 's/.* //')
installed=$(find . -name cmake_install.cmake -exec sed -n 's/.*FILES "\([^"]*\)".*/\1/p' {} + | grep -E '\.a$|/scenarios/geotrain[^/.]*$' | sort -u)
[[ $installed == *libgeotrain-units.a* && $installed == *scenarios/geotrain* ]] || { echo "this test looks at nothing"; exit 1; }
for file in $installed; do
    grep -qxF "${file#"$PWD/"}" <<<"$made" || { echo "the target packaged does not make $file"; exit 1; }
done
for page in Dockerfile docs/packages.md; do
    grep -q -- '--target packaged' "$source/$page" || { echo "$page does not build the target packaged"; exit 1; }
done
