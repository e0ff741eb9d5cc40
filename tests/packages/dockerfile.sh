#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The Dockerfile installs what ./demo installs, the list cmake/debian-packages.txt; by name it installs nothing but what the
# list of the tests has. The build in the image needs no network beyond Debian, so that nothing else is downloaded.
set -euo pipefail
source_folder=$1
dockerfile=$source_folder/Dockerfile
fail() { echo "Dockerfile: $1" >&2; exit 1; }

grep -q '< cmake/debian-packages.txt' "$dockerfile" || fail "does not install the list cmake/debian-packages.txt"
grep -q 'install-and-build.sh" geotrain cmake/debian-packages.txt' "$source_folder/demo" || fail "./demo installs another list"
[ "$(grep -c '^FROM debian:12' "$dockerfile")" = "$(grep -c '^FROM' "$dockerfile")" ] || fail "builds on another system than Debian 12"

named=$(grep -o 'apt-get install .*' "$dockerfile" | sed 's/[<&\\].*//; s/apt-get install//' | tr ' ' '\n' | grep '^[a-z]' || true)
for package in $named; do
    grep -qx "$package" "$source_folder/cmake/debian-packages.txt" "$source_folder/cmake/debian-packages-tests.txt" ||
        fail "installs $package, which no list has"
done
[ -n "$named" ] || fail "names no package: this test looks at nothing"
if grep -nE 'curl|wget|git clone|pip' "$dockerfile"; then fail "downloads from elsewhere"; fi
