#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# contrib.sh SOURCE NS3_HEADERS: in ns-3's contrib/ all headers become <ns3/NAME>, so that no header of the modules has the name of
# another one, or of one of ns-3's own, which it would hide.
set -euo pipefail
source=$1 ns3_headers=$2
modules=$(sed -n 's/^set(GEOTRAIN_PARTS_OF_\([a-z0-9-]*\).*/\1/p' "$source/cmake/GeotrainContrib.cmake")
[ -n "$modules" ] && test -s "$ns3_headers/tcp-cubic.h" || { echo "this test looks at nothing"; exit 1; }
names=$(for module in $modules; do
    find "$source/ns3-modules/$module/model" "$source/ns3-modules/$module/helper" -name '*.h' -printf '%f\n' 2>/dev/null || true
done | sort)
twice=$(uniq -d <<<"$names")
[ -z "$twice" ] || { echo "two headers of the modules have one name:" $twice; exit 1; }
for name in $names; do
    test ! -e "$ns3_headers/$name" || { echo "$name hides ns-3's header of this name"; exit 1; }
done
