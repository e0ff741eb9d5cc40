// SPDX-License-Identifier: GPL-2.0-only
// The paper's figures about iteration time, utilisation and schedules.
#include "figures/comparison-figure.h"
#include "figures/stacked-timelines-figure.h"
#include "suite/paper-sets.h"
#include "suite/suite-drawing.h"

#include <algorithm>

namespace geotrain
{

namespace
{

using Variants = std::vector<VariantSummary>;

/// Adds the results of the series at the point, unless the run failed.
void
AddVariant(Variants& variants,
           const SetResults& results,
           const std::string& series,
           const std::string& point = "")
{
    const auto* found =
        results.At(results.SeriesOf(series), point.empty() ? 0 : results.PointOf(point));
    if (found)
    {
        variants.push_back(*found);
    }
}

/// Returns the systems at a round trip of 40 ms, from the slowest on.
Variants
SystemsAt40(const SuiteResults& results, bool oneConnection)
{
    const auto& distance = results.at("systems-rtt");
    const auto& more = results.at("systems");
    Variants variants;
    if (oneConnection)
    {
        AddVariant(variants, distance, "one", "40ms");
    }
    AddVariant(variants, distance, "twenty", "40ms");
    AddVariant(variants, more, "varuna");
    AddVariant(variants, more, "gpipe");
    AddVariant(variants, more, "temporal");
    AddVariant(variants, distance, "atlas", "40ms");
    AddVariant(variants, more, "bubbletea");
    return variants;
}

std::vector<NamedTrace>
TracesOf(const Variants& variants)
{
    std::vector<NamedTrace> traces;
    for (const auto& variant : variants)
    {
        traces.push_back({variant.title, variant.trace});
    }
    return traces;
}

void
DrawIterationOverDistance(const SuiteResults& results, const FigurePlace& place)
{
    DrawSuiteCurves({"Round-trip time (ms)", "Iteration time (s)"},
                    results.at("systems-rtt").Curves("iteration_time"),
                    place);
}

/// Draws how many times as fast Atlas and many connections are as one connection.
void
DrawSpeedup(const SuiteResults& results, const FigurePlace& place)
{
    const auto& set = results.at("systems-rtt");
    const auto one = set.Curve(set.SeriesOf("one"), "iteration_time");
    std::vector<SuiteCurve> curves;
    for (const auto* name : {"twenty", "atlas"})
    {
        curves.push_back(
            Ratio(one, set.Curve(set.SeriesOf(name), "iteration_time"), set.Set().series[set.SeriesOf(name)].title));
    }
    DrawSuiteCurves({"Round-trip time (ms)", "Speed-up over 1 connection"}, curves, place);
}

void
DrawTimelinesAt40(const SuiteResults& results, const FigurePlace& place)
{
    DrawStackedTimelines(TracesOf(SystemsAt40(results, false)), "WAN round trip 40 ms", place);
}

void
DrawTimelinesAt10(const SuiteResults& results, const FigurePlace& place)
{
    const auto& distance = results.at("systems-rtt");
    Variants variants;
    for (const auto* series : {"one", "twenty", "atlas"})
    {
        AddVariant(variants, distance, series, "10ms");
    }
    DrawStackedTimelines(TracesOf(variants), "WAN round trip 10 ms", place);
}

void
DrawUtilization(const SuiteResults& results, const FigurePlace& place)
{
    DrawComparison(SystemsAt40(results, true), place);
}

void
DrawByMicrobatches(const SuiteResults& results, const FigurePlace& place)
{
    DrawSuiteCurves({"Microbatches per pipeline", "Iteration time (s)"},
                    results.at("schedules-microbatches").Curves("iteration_time"),
                    place);
}

void
DrawByRatio(const SuiteResults& results, const FigurePlace& place)
{
    DrawSuiteCurves({"Communication-to-compute ratio", "Iteration time (s)"},
                    results.at("schedules-ratio").Curves("iteration_time"),
                    place);
}

void
DrawGainByMemory(const SuiteResults& results, const FigurePlace& place)
{
    const auto& set = results.at("sharing-memory");
    auto gain = Ratio(set.Curve(set.SeriesOf("spatial"), "iteration_time"),
                      set.Curve(set.SeriesOf("temporal"), "iteration_time"),
                      "Temporal sharing");
    SuiteCurveLabels labels{"Activations held per GPU (microbatches)",
                            "Time, spatial / temporal sharing"};
    labels.references = {{"No gain", {{0, 1}, {gain.points.back().first, 1}}}};
    DrawSuiteCurves(labels, {gain}, place);
}

void
DrawTimeByMemory(const SuiteResults& results, const FigurePlace& place)
{
    DrawSuiteCurves({"Activations held per GPU (microbatches)", "Iteration time (s)"},
                    results.at("sharing-memory").Curves("iteration_time"),
                    place);
}

/// Draws the analytic iteration time as a share of that over packets.
void
DrawAnalytic(const SuiteResults& results, const FigurePlace& place)
{
    const auto& packets = results.at("systems-rtt");
    const auto& analytic = results.at("systems-rtt-analytic");
    std::vector<SuiteCurve> curves;
    for (std::size_t i = 0; i < packets.Set().series.size(); ++i)
    {
        curves.push_back(Ratio(analytic.Curve(i, "iteration_time"),
                               packets.Curve(i, "iteration_time"),
                               packets.Set().series[i].title));
    }
    SuiteCurveLabels labels{"Round-trip time (ms)", "Iteration time, analytic / packets"};
    labels.references = {{"Equal", {{0, 1}, {packets.Set().points.back().x, 1}}}};
    DrawSuiteCurves(labels, curves, place);
}

constexpr const char* threeDcSetting =
    "Three data centres, 4 A100 each, one layer of a GPT of hidden size 4,096 per stage, 16 "
    "microbatches of one sequence of 4,096 tokens on each of 4 pipelines, at most 5 Gbit/s per node "
    "pair; warm connections, packets.";

} // namespace

std::vector<SuiteFigure>
TrainingFigures()
{
    return {
        {"iteration-rtt",
         "How does the distance between data centres lengthen a training iteration, with one TCP "
         "connection per node pair, with many, and with Atlas?",
         std::string(threeDcSetting) +
             " One connection has a window of 1.5 MB, as PyTorch's in the Atlas paper (arXiv "
             "2411.14458); the windows of 20 hold 96 % of the path.",
         {"systems-rtt"},
         DrawIterationOverDistance},
        {"speedup-rtt",
         "How many times as fast are many connections and Atlas as one connection?",
         std::string(threeDcSetting) + " The Atlas paper reports up to 17x.",
         {"systems-rtt"},
         DrawSpeedup},
        {"timelines",
         "What do the GPUs of one pipeline do during an iteration, system by system?",
         std::string(threeDcSetting) + " The last iteration of each run, on one time axis.",
         {"systems-rtt", "systems"},
         DrawTimelinesAt40},
        {"timelines-one-connection",
         "What does one connection per node pair do to the pipeline?",
         std::string(threeDcSetting) + " The last iteration of each run, on one time axis.",
         {"systems-rtt"},
         DrawTimelinesAt10},
        {"utilization-causes",
         "What do the GPUs do over an iteration, and what do they wait for?",
         std::string(threeDcSetting) +
             " Round trip 40 ms. BubbleTea serves prefills of Llama-3 8B at 60 requests per second, "
             "more than fit.",
         {"systems-rtt", "systems"},
         DrawUtilization},
        {"schedules-microbatches",
         "Which schedule is fastest with how many microbatches?",
         "Three stages of 4 equal layers, round trip 40 ms, 20 connections; the time of an activation "
         "over a node pair is that of a stage's forward. All share the WAN spatially but for Atlas.",
         {"schedules-microbatches"},
         DrawByMicrobatches},
        {"schedules-ratio",
         "Which schedule is fastest at which ratio of communication to compute?",
         "Time of an activation over a node pair / time of a stage's forward, by the cap of a node "
         "pair: 20, 10, 5 and 2.5 Gbit/s. Three stages of 4 equal layers, 18 microbatches, round trip "
         "40 ms, 20 connections. All share the WAN spatially but for Atlas.",
         {"schedules-ratio"},
         DrawByRatio},
        {"sharing-memory",
         "How much does temporal sharing gain, by the memory that pipelines have for activations?",
         "Iteration time with spatial sharing / with temporal sharing, both with Atlas's schedule "
         "under a cap on the activations of a GPU; round trip 40 ms, 20 connections.",
         {"sharing-memory"},
         DrawGainByMemory},
        {"sharing-memory-time",
         "How long is an iteration by the memory for activations, with both ways of sharing the WAN?",
         "The runs of sharing-memory.",
         {"sharing-memory"},
         DrawTimeByMemory},
        {"analytic-packets",
         "How far can the analytic network be trusted?",
         std::string(threeDcSetting) + " The same runs on both networks.",
         {"systems-rtt", "systems-rtt-analytic"},
         DrawAnalytic},
    };
}

} // namespace geotrain
