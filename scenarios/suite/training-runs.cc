// SPDX-License-Identifier: GPL-2.0-only
// The runs of the paper's figures about training. Each set states every field that its question
// depends on, so that other defaults in the library move none of the results.
#include "suite/paper-sets.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

using Texts = std::vector<std::string>;

/// Returns the fields of a training run over three data centres: warm connections, and at most
/// 5 Gbit/s per node pair.
Texts
ThreeDataCentres(bool quick)
{
    return {"inference=",
            "fill_jobs=",
            "model.microbatches=16",
            "parallelism.cell_size=4",
            "wan_link[*].rate=100Gbps",
            "wan_link[*].delay=20ms",
            "caps=", // of nodes: the paper's limit is that of a node pair alone
            "caps.node_pair=5Gbps",
            "mtu=9000",
            "transport.congestion_control=TcpCubic",
            "transport.connections=20",
            "transport.window=1.2MB",
            "schedule.name=1f1b",
            "sharing=SPATIAL",
            "run.network=PACKET",
            "run.all_reduce_fidelity=ANALYTIC",
            "run.warmup_iterations=1",
            quick ? "run.iterations=2" : "run.iterations=5"};
}

/// Returns `sets` with `more` behind them.
Texts
With(Texts sets, const Texts& more)
{
    sets.insert(sets.end(), more.begin(), more.end());
    return sets;
}

/// Returns a window with which 20 connections hold 96 % of what a path of `gbps` and `rttMs` holds.
std::string
WindowOfTwenty(double gbps, double rttMs)
{
    const double kilobytes = 0.96 * gbps * rttMs / 8 * 1e3 / 20;
    return fmt::format("transport.window={:.0f}kB", kilobytes);
}

/// Returns points at the round trips, with windows of 20 connections that fit a path of 5 Gbit/s.
std::vector<SuitePoint>
RoundTripsOfTraining(const std::vector<double>& milliseconds)
{
    std::vector<SuitePoint> points;
    for (const double rtt : milliseconds)
    {
        points.push_back(
            {rtt,
             fmt::format("{:g}ms", rtt),
             {fmt::format("wan_link[*].delay={:g}ms", rtt / 2), WindowOfTwenty(5, rtt)}});
    }
    return points;
}

const Texts atlas = {"schedule.name=atlas", "sharing=TEMPORAL"};

/// Returns the fields of training with one layer per stage, for which the WAN is slow.
Texts
OneLayerPerStage(bool quick)
{
    return With(ThreeDataCentres(quick),
                {"model.transformer.layers=3", "parallelism.layers_per_stage=[1, 1, 1]"});
}

/// Returns the runs of the systems against the round trip, over packets or analytically.
RunSet
SystemsOverDistance(bool quick, bool packets)
{
    RunSet set;
    set.name = packets ? "systems-rtt" : "systems-rtt-analytic";
    set.scenario = "atlas-bubbletea";
    set.sets = With(OneLayerPerStage(quick),
                    {packets ? "run.network=PACKET" : "run.network=ANALYTIC"});
    set.series = {{"one",
                   "1F1B, one connection",
                   {"transport.connections=1", "transport.window=1.5MB"}},
                  {"twenty", "1F1B, 20 connections"},
                  {"atlas", "Atlas", atlas}};
    set.points = RoundTripsOfTraining(quick ? std::vector<double>{10, 20, 40, 80}
                                            : std::vector<double>{10, 20, 30, 40, 60, 80, 100});
    set.cpuSeconds = !packets ? 0.3 : quick ? 4 : 7;
    return set;
}

/// Returns the runs of more systems at a round trip of 40 ms.
RunSet
MoreSystems(bool quick)
{
    RunSet set;
    set.name = "systems";
    set.scenario = "atlas-bubbletea";
    set.sets = OneLayerPerStage(quick);
    set.series = {{"gpipe", "GPipe, 20 connections", {"schedule.name=gpipe"}},
                  {"varuna", "Varuna, 20 connections", {"schedule.name=varuna"}},
                  {"temporal", "1F1B, temporal sharing", {"sharing=TEMPORAL"}},
                  {"bubbletea",
                   "Atlas with BubbleTea",
                   With(atlas,
                        {"inference.model=llama3-8b",
                         "inference.pp_degree=4",
                         "inference.generator.requests_per_second=60",
                         "run.warmup_iterations=2",
                         "run.iterations=4"})}};
    set.cpuSeconds = quick ? 12 : 25;
    return set;
}

/// Returns schedules whose stages are all alike, so that the schedule alone makes the difference.
/// Atlas has its turns.
RunSet
Schedules(bool quick, const std::string& name)
{
    RunSet set;
    set.name = name;
    set.scenario = "three-dc-gpt";
    set.sets = With(ThreeDataCentres(quick),
                    {"model.transformer.layers=12",
                     "model.transformer.vocabulary=1024",
                     "parallelism.layers_per_stage=",
                     "model.microbatches=18", // interleaved needs a multiple of the stages
                     quick ? "run.network=ANALYTIC" : "run.network=PACKET",
                     "run.iterations=2"});
    set.series = {{"gpipe", "GPipe", {"schedule.name=gpipe"}},
                  {"1f1b", "1F1B"},
                  {"interleaved",
                   "Interleaved",
                   {"schedule.name=interleaved", "schedule.virtual_stages=2"}},
                  {"varuna", "Varuna", {"schedule.name=varuna"}},
                  {"zb-2p", "ZB-2p", {"schedule.name=zb-2p"}},
                  {"cross-dc", "Cross-DC", {"schedule.name=cross-dc"}},
                  {"atlas", "Atlas", atlas}};
    set.cpuSeconds = quick ? 0.3 : 5;
    return set;
}

RunSet
SchedulesByMicrobatches(bool quick)
{
    auto set = Schedules(quick, "schedules-microbatches");
    set.points = PointsAt(quick ? Texts{"3", "6", "12", "24", "36"}
                                : Texts{"3", "6", "12", "18", "24", "36"},
                          {"model.microbatches"});
    return set;
}

RunSet
SchedulesByRatio(bool quick)
{
    auto set = Schedules(quick, "schedules-ratio");
    for (const double gbps : {20.0, 10.0, 5.0, 2.5})
    {
        const auto rate = fmt::format("{:g}Mbps", 1e3 * gbps);
        set.points.push_back({messageOverForwardAt1Gbps / gbps,
                              rate,
                              {"caps.node_pair=" + rate, WindowOfTwenty(gbps, 40)}});
    }
    return set;
}

/// Returns Atlas's schedule under caps on the activations that a worker holds.
RunSet
SharingByMemory(bool quick)
{
    RunSet set;
    set.name = "sharing-memory";
    set.scenario = "three-dc-gpt";
    set.sets = With(ThreeDataCentres(quick),
                    {"schedule.name=atlas",
                     quick ? "run.network=ANALYTIC" : "run.network=PACKET",
                     "run.iterations=2"});
    set.series = {{"spatial", "Spatial sharing"},
                  {"temporal", "Temporal sharing", {"sharing=TEMPORAL"}}};
    set.points = PointsAt({"2", "3", "4", "6", "8", "12", "16"}, {"schedule.memory_cap"});
    set.cpuSeconds = quick ? 0.3 : 4;
    return set;
}

/// Returns prefills in the bubbles against the rate of requests.
RunSet
Prefills(bool quick)
{
    RunSet set;
    set.name = "prefills";
    set.scenario = "three-dc-bubbletea";
    set.sets = With(ThreeDataCentres(quick),
                    {"schedule.warmup_factor=2",
                     "sharing=TEMPORAL",
                     "inference.model=llama3-8b",
                     "run.warmup_iterations=2",
                     "run.iterations=4",
                     quick ? "run.network=ANALYTIC" : "run.network=PACKET"});
    set.series = {{"pp1", "1 GPU per prefill", {"inference.pp_degree=1"}},
                  {"pp2", "2 GPUs per prefill", {"inference.pp_degree=2"}},
                  {"pp4", "4 GPUs per prefill", {"inference.pp_degree=4"}}};
    set.points = PointsAt({"5", "10", "20", "30", "40"},
                          {"inference.generator.requests_per_second"});
    set.seeds = {1, 2, 3};
    set.cpuSeconds = quick ? 1.5 : 25;
    return set;
}

/// Returns prefills under an objective for the time to first token, at three loads.
RunSet
PrefillsByObjective(bool quick)
{
    auto set = Prefills(quick);
    set.name = "prefill-objectives";
    set.sets.push_back("inference.pp_degree=4");
    set.series = {{"10", "10 requests/s", {"inference.generator.requests_per_second=10"}},
                  {"30", "30 requests/s", {"inference.generator.requests_per_second=30"}},
                  {"60", "60 requests/s", {"inference.generator.requests_per_second=60"}}};
    set.points = PointsAt({"0.25s", "0.5s", "1s", "2s", "4s"}, {"inference.ttft_objective"});
    set.seeds = quick ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, 2, 3};
    return set;
}

/// Returns fill jobs with 1,024 to 8,192 GPUs and the same batch: of every kind that fits a GPU, and
/// of the kinds that recover least and most.
RunSet
FillJobsByGpus(bool quick)
{
    RunSet set;
    set.name = "fill-gpus";
    set.scenario = "pipefill-40b";
    set.series = {{"1f1b", "every kind", {"schedule.name=1f1b"}},
                  {"least",
                   "EfficientNet training",
                   {"fill_jobs.mix[0].model=efficientnet", "fill_jobs.mix[0].task=TRAINING"}},
                  {"most",
                   "XLM-RoBERTa-XL inference",
                   {"fill_jobs.mix[0].model=xlm-roberta-xl", "fill_jobs.mix[0].task=INFERENCE"}}};
    for (const int thousands : {1, 2, 4, 8})
    {
        set.points.push_back({1024.0 * thousands,
                              fmt::format("{}k", thousands),
                              {fmt::format("data_center[0].nodes={}", 128 * thousands),
                               fmt::format("parallelism.data_parallel={}", 8 * thousands),
                               fmt::format("model.microbatches={}", 64 / thousands),
                               fmt::format("fill_jobs.jobs={}", 1024 * thousands)}});
    }
    set.sets = {"run.network=ANALYTIC",
                "run.all_reduce_fidelity=ANALYTIC",
                "run.warmup_iterations=2",
                "run.iterations=3"};
    set.seeds = quick ? std::vector<std::int64_t>{1, 2, 3} : std::vector<std::int64_t>{1, 2, 3, 4, 5};
    set.cpuSeconds = 1.7;
    return set;
}

} // namespace

std::vector<RunSet>
TrainingRunSets(bool quick)
{
    return {SystemsOverDistance(quick, true),
            SystemsOverDistance(quick, false),
            MoreSystems(quick),
            SchedulesByMicrobatches(quick),
            SchedulesByRatio(quick),
            SharingByMemory(quick),
            Prefills(quick),
            PrefillsByObjective(quick),
            FillJobsByGpus(quick)};
}

} // namespace geotrain
