#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# compare-build-types.sh SOURCE BUILD: builds the presets dev and release below BUILD and runs one scenario with each, on
# both networks and both ways of sharing. Their traces (decompressed) and summaries must be the same bytes.
set -euo pipefail
source_folder=$1
build_folder=$2
scenario=$build_folder/small.textproto

for preset in dev release; do
    cmake --preset "$preset" -S "$source_folder" -B "$build_folder/$preset"
    cmake --build "$build_folder/$preset" --target geotrain
done

cat >"$scenario" <<'END'
model { transformer { layers: 4 hidden: 128 heads: 4 vocabulary: 1000 } sequence: 1024 microbatches: 4 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "10ms" loss: 0.001 }
transport { connections: 2 }
run { iterations: 2 warmup_iterations: 1 compute_jitter: 0.05 }
END

for network in packet analytic; do
    for sharing in SPATIAL TEMPORAL; do
        for preset in dev release; do
            "$build_folder/$preset/scenarios/geotrain" run "$scenario" --quiet --network "$network" \
                --set "sharing=$sharing" --out "$build_folder/run-$preset" --force
            zcat "$build_folder/run-$preset/trace.pb" >"$build_folder/trace-$preset"
        done
        cmp "$build_folder/trace-dev" "$build_folder/trace-release"
        cmp "$build_folder/run-dev/summary.csv" "$build_folder/run-release/summary.csv"
        echo "$network, $sharing: the same $(wc -c <"$build_folder/trace-dev") bytes"
    done
done
