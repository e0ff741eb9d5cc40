#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# completion.sh SOURCE PROGRAM: bash completes verbs, options, their values and names of the library; zsh loads its file.
set -euo pipefail
source=$1
PATH="$(dirname "$2"):$PATH"
. "$source/scenarios/cli/shell/geotrain.bash"

# expect LINE WORD...: what LINE may become
expect()
{
    COMP_LINE=$1 COMP_POINT=${#1}
    shift
    COMPREPLY=()
    _geotrain
    [ "${COMPREPLY[*]}" = "$*" ] || { echo "\"$COMP_LINE\" gives \"${COMPREPLY[*]}\" instead of \"$*\""; exit 1; }
}

expect "geotrain tr" transfer
expect "geotrain run --net" --network
expect "geotrain run --network " packet analytic
expect "geotrain run three-dc-g" three-dc-gpt
expect "geotrain compare --set a=b three-dc-g" three-dc-gpt
expect "geotrain schedule zb-h" zb-h1 zb-h2
expect "geotrain timing --gpu H10" H100
expect "geotrain transfer --congestion-control ns3::TcpVeg" TcpVegas
expect "geotrain transfer --congestion-control TcpVeg" TcpVegas
expect "geotrain transfer --congestion-control TcpC" TcpCubic
expect "geotrain compare congestion-control-battery --card TcpBb" TcpBbr3 TcpBbr
expect "geotrain run --network=an" analytic
expect "geotrain run --nothing=an"
expect "geotrain list scenarios --show three-dc-g" three-dc-gpt
expect "geotrain list sce" scenarios
expect "geotrain nothing x"
expect "geotrain transfer --transport " express device stock
expect "geotrain figures --suite paper --only goodput-" goodput-loss goodput-rtt
results=$(mktemp -d)
trap 'rm -r "$results"' EXIT
mkdir "$results/figures"
touch "$results/figures/timeline.gp" "$results/figures/wan-throughput.gp" "$results/figures/timeline.png"
expect "geotrain figures $results --only ti" timeline
expect "geotrain figures $results --only="  timeline wan-throughput

if command -v zsh >/dev/null; then
    zsh -n "$source/scenarios/cli/shell/_geotrain"
    found=$(zsh -fc "words=(geotrain run three-dc-g); CURRENT=3; compadd() { print -l \$candidates; }; . '$source/scenarios/cli/shell/_geotrain'")
    [ "$found" = three-dc-gpt ] || { echo "zsh gives \"$found\""; exit 1; }
else
    echo "zsh is not installed: its completion was not tried"
fi
