// SPDX-License-Identifier: GPL-2.0-only
// Each row sets a field where another one keeps it from having an effect, and where it has one.
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

using Sets = std::vector<std::string>;

struct Row
{
    const char* field;
    const char* value;
    Sets without; ///< where it has no effect
    Sets with;    ///< where it has one
    const char* why;
};

Sets
Joined(Sets sets, const Sets& more)
{
    sets.insert(sets.end(), more.begin(), more.end());
    return sets;
}

/// Returns the warnings that `field=value` adds to the scenario with `sets`.
Sets
AddedBy(const Row& row, const std::string& text, const Sets& sets)
{
    const Sets before = LoadText(text, sets).warnings;
    Sets added;
    for (const auto& warning :
         LoadText(text, Joined(sets, {std::string(row.field) + "=" + row.value})).warnings)
    {
        if (std::find(before.begin(), before.end(), warning) == before.end())
        {
            added.push_back(warning);
        }
    }
    return added;
}

void
ExpectWarnedOf(const std::vector<Row>& rows, const std::string& text)
{
    for (const Row& row : rows)
    {
        SCOPED_TRACE(row.field);
        EXPECT_EQ(AddedBy(row, text, row.without),
                  Sets{std::string(row.field) + " changes nothing: " + row.why});
        EXPECT_EQ(AddedBy(row, text, row.with), Sets());
    }
}

const Sets serving{"inference.model=llama3-8b", "inference.generator.requests_per_second=1"};
const Sets tracedJobs{"fill_jobs.trace_line=[\"arrival_s,model,task,samples\", "
                      "\"0,bert-base,inference,10\"]",
                      "run.iterations=2"};
const Sets drawnJobs{"fill_jobs.jobs=2", "run.iterations=2"};
const char* const drawn = "the jobs are those of a trace, and none is drawn";

TEST(UnusedFields, OfTrainingAreWarnedOf)
{
    const Sets own{"schedule.order_row=[\"0F0,0F1,0B0,0B1\",\"1F0,1B0,1F1,1B1\"]",
                   "model.microbatches=2"};
    const Sets replicas{"parallelism.across=REPLICAS", "parallelism.pipeline_stages=1"};
    ExpectWarnedOf({{"schedule.overlapped_block",
                     "1ms",
                     {"schedule.name=1f1b"},
                     {"schedule.name=dualpipe-v"},
                     "only dualpipe-v runs a forward and a backward as one block"},
                    {"schedule.warmup_factor",
                     "2",
                     {"schedule.name=gpipe"},
                     {"schedule.name=1f1b"},
                     "only 1f1b deepens its warm-up by it"},
                    {"schedule.memory_cap", "4", own, {}, "a user's own order holds what it holds"},
                    {"caps.queue", "2bdp", {}, {"caps.node_pair=1Gbps"}, "no cap is set"},
                    {"caps.police", "true", {}, {"caps.node_pair=1Gbps"}, "no cap is set"},
                    {"data_center[0].replicas",
                     "1",
                     {},
                     replicas,
                     "parallelism.across spreads the stages of every pipeline"}},
                   SmallScenarioText());
    EXPECT_EQ(LoadSmall(replicas).warnings,
              (Sets{"data_center[0].stages changes nothing: parallelism.across spreads whole "
                    "pipelines",
                    "data_center[1].stages changes nothing: parallelism.across spreads whole "
                    "pipelines"}));
}

TEST(UnusedFields, OfPrefillsAreWarnedOf)
{
    const auto and_ = [](const char* set) { return Joined(serving, {set}); };
    ExpectWarnedOf({{"inference.guard",
                     "1ms",
                     serving,
                     and_("inference.policy=STRICT"),
                     "only policy STRICT keeps time free before a bubble's end"},
                    {"inference.batch_wait",
                     "1ms",
                     and_("inference.batch_tokens=0"),
                     serving,
                     "batch_tokens is 0, so that no prompt waits"},
                    {"inference.decode_nodes",
                     "3",
                     and_("inference.kv_nic=SHARED"),
                     serving,
                     "with kv_nic SHARED, KV caches go to the data centre's own nodes"}},
                   SmallScenarioText());
}

TEST(UnusedFields, OfFillJobsAreWarnedOf)
{
    ExpectWarnedOf({{"fill_jobs.jobs_per_hour", "5", tracedJobs, drawnJobs, drawn},
                    {"fill_jobs.median_time", "2min", tracedJobs, drawnJobs, drawn},
                    {"fill_jobs.sigma", "1", tracedJobs, drawnJobs, drawn},
                    {"fill_jobs.deadline_factor", "2", tracedJobs, drawnJobs, drawn},
                    {"fill_jobs.mix", "[{model: \"bert-base\"}]", tracedJobs, drawnJobs, drawn}},
                   SmallScenarioText());
}

TEST(UnusedFields, OfServersThatAreNotThereAreWarnedOf)
{
    const Sets replicas{"parallelism.pipeline_stages=1", "data_center[1].stages=0"};
    const Sets inSwitch = Joined(replicas, {"in_network.acknowledgement=RESULT"});
    const Sets atServer =
        Joined(replicas, {"parallelism.data_parallelism=IN_NETWORK", "model.microbatches=1"});
    const char* const why = "with acknowledgement RESULT there is no server";
    ExpectWarnedOf({{"in_network.ssd_rate", "300Gbps", inSwitch, atServer, why},
                    {"in_network.memory_rate", "2000Gbps", inSwitch, atServer, why},
                    {"in_network.cpu_tflops", "1", inSwitch, atServer, why},
                    {"in_network.threads", "LAYER_CENTRIC", inSwitch, atServer, why},
                    {"in_network.servers_die_at", "1s", inSwitch, atServer, why}},
                   SmallScenarioText());
}

TEST(UnusedFields, OfTransfersAreWarnedOf)
{
    const std::string transfer = R"(
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
transfer { size: "1MB" }
cross_traffic { from: "a" to: "b" load: 0.1 }
)";
    EXPECT_EQ(LoadText(transfer,
                       {"run.iterations=2",
                        "run.warmup_iterations=1",
                        "run.compute_jitter=0.1",
                        "run.all_reduce_fidelity=ANALYTIC",
                        "run.memory_check=WARN",
                        "cross_traffic[0].scale=2"})
                  .warnings,
              (Sets{"run.warmup_iterations changes nothing: a transfer has no training",
                    "run.iterations changes nothing: a transfer has no training",
                    "run.compute_jitter changes nothing: a transfer has no training",
                    "run.all_reduce_fidelity changes nothing: a transfer has no training",
                    "run.memory_check changes nothing: a transfer has no training",
                    "cross_traffic[0].scale changes nothing: the entry has a load and no matrix"}));
}

// run --again and compare load the resolved text.
TEST(UnusedFields, AreWarnedOfAgainInTheResolvedScenario)
{
    for (const Sets& sets : {Sets{}, Sets{"schedule.name=gpipe", "schedule.warmup_factor=2"}})
    {
        const auto loaded = LoadSmall(sets);
        EXPECT_EQ(LoadText(ResolvedText(loaded.provenance)).warnings, loaded.warnings);
    }
}

} // namespace
} // namespace geotrain
