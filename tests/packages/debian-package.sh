#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# debian-package.sh BUILD FOLDER: cpack makes a Debian package that names what it needs, and whose program runs from another
# folder as it was unpacked.
set -euo pipefail
build=$1 folder=$2
for needed in dpkg-shlibdeps file; do
    command -v "$needed" >/dev/null || { echo "skipped: $needed is not installed"; exit 77; }
done
rm -rf "${folder:?}"
mkdir -p "$folder/elsewhere"
cpack --config "$build/CPackConfig.cmake" -B "$folder" >/dev/null
package=$(echo "$folder"/geotrain_*.deb)
needs=$(dpkg-deb --field "$package" Depends)
for name in gnuplot libns3 libprotobuf; do
    [[ $needs == *$name* ]] || { echo "the package does not depend on $name: $needs"; exit 1; }
done
suggests=$(dpkg-deb --field "$package" Suggests)
for name in cmake make g++ libns3-dev libfmt-dev libxml2-dev nlohmann-json3-dev; do
    [[ ", $suggests" == *", $name"[,\ ]* ]] || { echo "the package does not suggest $name, to build on it: $suggests"; exit 1; }
done
dpkg-deb --extract "$package" "$folder/root"
for file in bin/geotrain share/man/man1/geotrain.1 share/doc/geotrain/copyright share/bash-completion/completions/geotrain \
    share/zsh/vendor-completions/_geotrain lib/cmake/geotrain/geotrain-config.cmake \
    share/doc/geotrain/examples/live/pipeline.py; do
    test -s "$folder/root/usr/$file" || { echo "the package lacks $file"; exit 1; }
done
grep -q "Copyright (c) 2020 Microsoft" "$folder/root/usr/share/doc/geotrain/copyright" ||
    { echo "the copyright file lacks the licence of iBox's profiles"; exit 1; }
for trainer in "$folder"/geotrain-trainer_*.deb; do
    test -e "$trainer" || continue # libtorch is not installed
    [[ $(dpkg-deb --field "$trainer" Depends) == *libtorch* ]] || { echo "the trainer's package does not depend on libtorch"; exit 1; }
    dpkg-deb --extract "$trainer" "$folder/trainer"
    for file in bin/geotrain-train-path share/doc/geotrain-trainer/copyright; do
        test -s "$folder/trainer/usr/$file" || { echo "the trainer's package lacks $file"; exit 1; }
    done
done
cd "$folder/elsewhere"
"$folder/root/usr/bin/geotrain" run single-dc --network analytic --quiet
test -s results/single-dc-1/figures/timeline.png
