#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs one part of the whole program under AddressSanitizer and UndefinedBehaviorSanitizer: every verb, each
# library scenario in its quick form, the swarm of 300 random scenarios in thirtieths, or an hour of fuzzing
# per target. It is done once per release, in parts that fit nights on two cores.
#   tests/sanitizers/whole-program.sh PROGRAM list          prints the parts
#   tests/sanitizers/whole-program.sh PROGRAM PART FOLDER   runs one; FOLDER keeps what is done
# PROGRAM is the geotrain of a build with the preset asan. A part that has passed with the same PROGRAM is not
# run again, so that a night that was cut short goes on. A finding ends the part with exit code 1, and
# FOLDER/PART.log has it.
set -eu
program=$(realpath -m "$1")
part=$2
root=$(realpath "$(dirname "$0")/../..")
swarm=$(dirname "$(dirname "$program")")/tests/simulation/swarm/swarm-test
fuzzers=$(dirname "$(dirname "$program")")/fuzz/fuzz-bin

parts() {
    echo verbs
    for scenario in "$root"/scenarios/library/*.textproto; do
        echo "library-$(basename "$scenario" .textproto)"
    done
    for first in $(seq 1 10 291); do echo "swarm-$first"; done
    if [ -d "$fuzzers" ]; then
        for fuzzer in "$fuzzers"/*; do echo "fuzz-$(basename "$fuzzer")"; done
    fi
}
if [ "$part" = list ]; then
    parts
    exit
fi

mkdir -p "$3"
folder=$(realpath "$3")
version=$(sha256sum "$program" | cut -c 1-16)
passed=$folder/$part.passed
[ -e "$passed" ] && [ "$(cat "$passed")" = "$version" ] && { echo "$part has passed before"; exit; }
log=$folder/$part.log
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# ns-3 and protobuf keep what they have until the end.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99:log_path=$work/sanitizer
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99
G() { "$program" "$@" >>"$log" 2>&1; }
# Exit codes of the program itself are 0 to 4; a sanitizer's is 99.
May_end_with() {
    local codes=$1 code=0
    shift
    G "$@" || code=$?
    [[ " $codes " == *" $code "* ]] || { echo "exit code $code: geotrain $*" | tee -a "$log"; exit 1; }
}

: >"$log"
case $part in
verbs)
    May_end_with 0 list scenarios
    May_end_with 0 check two-regions
    May_end_with 0 run two-regions --network analytic --out run
    May_end_with 0 run --again run --out again
    May_end_with 0 figures run
    May_end_with 0 export run --format csv
    May_end_with 0 export run --format perfetto
    May_end_with 0 compare two-regions --vary mtu=1500,9000 --network analytic --out compare --jobs 2
    May_end_with 0 compare --results compare run --out beside
    May_end_with 0 plan two-regions --top 2 --jobs 1 --out plan
    May_end_with 0 transfer --bytes 1MB --rate 1Gbps --rtt 10ms
    May_end_with 0 schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms --out schedule
    May_end_with 0 timing --model gpt3-175b --gpu A100-80
    May_end_with "0 1 2" live two-regions --scale 1000 --out live
    ;;
library-*)
    name=${part#library-}
    May_end_with 0 check "$name"
    May_end_with "0 2" run "$name" --wall-deadline 20min --out run
    May_end_with "0 2" compare "$name" --wall-deadline 5min --jobs 2 --out compare
    ;;
swarm-*)
    GEOTRAIN_SWARM_FIRST=${part#swarm-} GEOTRAIN_SWARM_COUNT=10 "$swarm" >>"$log" 2>&1 ||
        { tail -20 "$log"; exit 1; }
    ;;
fuzz-*)
    name=${part#fuzz-}
    corpora=$folder/corpus-$name # kept: the next hour goes on with it
    mkdir -p "$corpora"
    seeds=$(find "$root/tests/fuzz" -mindepth 2 -maxdepth 2 -type d | tr '\n' ' ')
    # shellcheck disable=SC2086
    "$fuzzers/$name" -max_total_time="${FUZZ_SECONDS:-3600}" -timeout=10 -artifact_prefix="$corpora/" \
        "$corpora" $seeds >>"$log" 2>&1 || { tail -20 "$log"; exit 1; }
    ;;
*)
    echo "there is no part $part; list prints them"
    exit 1
    ;;
esac
if compgen -G "$work/sanitizer.*" >/dev/null; then
    cat "$work"/sanitizer.* | tee -a "$log"
    exit 1
fi
echo "$version" >"$passed"
echo "$part: nothing found"
