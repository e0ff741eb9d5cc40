// SPDX-License-Identifier: GPL-2.0-only
// Runs fill jobs over packets, with loss and jitter: training must not notice, and no GPU does two
// things at a time. Each run is a process of its own, since ns-3 keeps its simulator in globals.
#include "loader/scenario-loader.h"
#include "scenario-runs.h"
#include "trace/trace-reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace geotrain
{

namespace
{

const char* const filledScenario = R"(
name: "small"
model { transformer { layers: 4 hidden: 128 heads: 4 vocabulary: 1000 } sequence: 1024 microbatches: 4 recomputation: FULL }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "10ms" loss: 0.001 }
transport { connections: 2 }
run { iterations: 4 warmup_iterations: 1 compute_jitter: 0.05 all_reduce_fidelity: ANALYTIC }
)";

const std::vector<Assignment> fillJobs = {{"fill_jobs.jobs=4", ""},
                                          {"fill_jobs.median_time=1h", ""}};

/// Runs in a child process and returns the trace's records.
std::vector<trace::Record>
RecordsOf(const std::vector<Assignment>& assignments)
{
    const TemporaryFolder folder;
    RunInAProcess(folder.Path(),
                  [&] {
                      return LoadScenario({"small.textproto", ".", filledScenario}, assignments);
                  });
    TraceReader reader((folder / "trace.pb").string());
    std::vector<trace::Record> records;
    while (const auto record = reader.Next())
    {
        records.push_back(*record);
    }
    return records;
}

/// Returns worker, start and end of each of training's instructions, in the order of the trace.
std::vector<std::string>
TrainingOf(const std::vector<trace::Record>& records)
{
    std::vector<std::string> training;
    for (const auto& record : records)
    {
        if (record.has_gpu_span())
        {
            training.push_back(record.gpu_span().ShortDebugString());
        }
    }
    return training;
}

std::size_t
FillsOf(const std::vector<trace::Record>& records)
{
    return static_cast<std::size_t>(std::count_if(records.begin(),
                                                  records.end(),
                                                  [](const trace::Record& record)
                                                  { return record.has_fill_span(); }));
}

TEST(FilledPackets, OnAnIdealGpuTrainingStartsAtTheSameNanosecond)
{
    const auto alone = RecordsOf({});
    auto ideal = fillJobs;
    ideal.push_back({"fill_jobs.preemption=INSTANT", ""});
    const auto filled = RecordsOf(ideal);
    EXPECT_GT(FillsOf(filled), 10U);
    EXPECT_EQ(TrainingOf(alone), TrainingOf(filled));
}

TEST(FilledPackets, NoGpuDoesTwoThingsAtATime)
{
    std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::int64_t>>> spans;
    for (const auto& record : RecordsOf(fillJobs))
    {
        if (record.has_gpu_span())
        {
            const auto& span = record.gpu_span();
            spans[span.worker()].emplace_back(span.start_ns(), span.end_ns());
        }
        else if (record.has_fill_span())
        {
            const auto& span = record.fill_span();
            spans[span.worker()].emplace_back(span.start_ns(), span.end_ns());
        }
    }
    for (auto& [worker, all] : spans)
    {
        std::sort(all.begin(), all.end());
        for (std::size_t i = 1; i < all.size(); ++i)
        {
            EXPECT_LE(all[i - 1].second, all[i].first);
        }
    }
}

TEST(FilledPackets, WhatTrainingWaitsIsReported)
{
    auto assignments = fillJobs;
    assignments.push_back({"fill_jobs.fill_fraction=1", ""});
    std::int64_t heldNs = 0;
    for (const auto& record : RecordsOf(assignments))
    {
        heldNs += record.has_training_hold() ? record.training_hold().held_ns() : 0;
    }
    EXPECT_GT(heldNs, 0);
}

} // namespace

} // namespace geotrain
