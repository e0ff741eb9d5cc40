#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# install.sh SOURCE BUILD FOLDER: what cmake --install leaves runs from another folder, and a project of one's own finds it
# with find_package(geotrain), builds and runs.
set -euo pipefail
source=$1 build=$2 folder=$3
rm -rf "${folder:?}"
mkdir -p "$folder/elsewhere"

# A build without a program is refused before the first file.
sed 's|IN ITEMS |IN ITEMS /not/built |' "$build/require-programs.cmake" >"$folder/refuses.cmake"
! cmake -P "$folder/refuses.cmake" 2>"$folder/refusal"
grep -q "cmake --build $build --target packaged" <(tr -d '\n' <"$folder/refusal" | tr -s ' ')
[ "$(grep -nm1 require-programs "$build/cmake_install.cmake" | cut -d: -f1)" -lt "$(grep -nm1 'cmake_install.cmake")' "$build/cmake_install.cmake" | cut -d: -f1)" ]

cmake --install "$build" --prefix "$folder/prefix" >/dev/null
cp -r "$folder/prefix/share/doc/geotrain/examples" "$folder/own"
cd "$folder/elsewhere"
"$folder/prefix/bin/geotrain" run single-dc --network analytic --quiet
test -s results/single-dc-1/summary.csv
test -s "$folder/prefix/share/man/man1/geotrain-run.1"
if python3 -c "import pandas" 2>/dev/null; then
    PYTHONPATH=$folder/prefix/lib/python3/dist-packages python3 -B -c "import geotrain; geotrain.load('results/single-dc-1').gpu_spans"
fi
cmake -S "$folder/own" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/prefix" >/dev/null
cmake --build "$folder/build"
"$folder/build/two-sites-iteration" | grep '^iteration: '
"$folder/prefix/bin/geotrain" list congestion-controls --load "$folder/build/my-control.so" | grep '^example::TcpAimd '
! grep -rlF "$source" "$folder/prefix/lib/cmake" # the package may lie anywhere
