# SPDX-License-Identifier: GPL-2.0-only
# Sourced by ./demo and ./run-tests with the target to build and the lists of Debian 12 packages that it needs: installs what
# is missing, then builds that target of the release preset.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_target=$1
package_lists=("${@:2}")
missing=()
while read -r package; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done < <(cat "${package_lists[@]}")
if [ ${#missing[@]} -gt 0 ]; then
    echo "Installing: ${missing[*]}"
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    $as_root apt-get update -q
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

cmake --preset release
cmake --build --preset release --target "$build_target"
