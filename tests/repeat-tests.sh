#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Repeats every test that depends on time, sockets or kills, half of the times beside two busy loops that
# want both cores. Prints a line per test, and what failed; exit code 1 where something did.
#   tests/repeat-tests.sh [TIMES] [REGEX]     200 times, of all of them, unless said otherwise
# BUILD names the build tree (build/release). The rounds that passed are kept in BUILD/repeated-tests, so
# that a call that was killed goes on; remove the folder to begin again.
set -u
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}
times=${1:-200}
# Suites of sockets and the wall clock; of children, kills, signals and locks; of limits and terminals. A
# suite's name stands behind that of its program and a dot, or behind a slash.
suites='Live|KernelEnd|EmulatedPath|WanProcess|WallClock|ChildProcess|JobPool|RunFolder|PlannedRuns'
suites+='|Limits|OwnFiles|Terminal|FailingWrites|TransferCli|Swarm|TrainingProgram'
only=${2:-"[./]($suites)|Kill|Interrupt|Deadline"}
done_folder=$build/repeated-tests
mkdir -p "$done_folder"
mapfile -t tests < <(ctest --test-dir "$build" -N -LE slow -R "$only" | sed -n 's/^ *Test *#[0-9]*: //p')
[ "${#tests[@]}" -gt 0 ] || { echo "no test is called $only in $build"; exit 1; }
echo "${#tests[@]} tests, $times times each"

busy=()
trap 'kill "${busy[@]}" 2>/dev/null' EXIT
failed=0
for test in "${tests[@]}"; do
    record=$done_folder/${test//[^A-Za-z0-9._-]/-}
    for load in idle busy; do
        [ -e "$record.$load-$times" ] && continue
        if [ $load = busy ]; then
            for _ in 1 2; do (while :; do :; done) & busy+=($!); done
        fi
        rounds=$(((times + 1) / 2))
        if ctest --test-dir "$build" -R "^$(sed 's/[][\/.*^$+?(){}|]/\\&/g' <<<"$test")\$" \
            --repeat "until-fail:$rounds" --output-on-failure >"$record.log" 2>&1; then
            touch "$record.$load-$times"
            echo "ok      $load  $test, $rounds times"
        else
            failed=1
            echo "FAILED  $load  $test, see $record.log"
        fi
        [ "${#busy[@]}" -gt 0 ] && { kill "${busy[@]}"; wait "${busy[@]}" 2>/dev/null; busy=(); }
    done
done
exit $failed
