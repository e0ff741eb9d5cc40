// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain check` checks a scenario and prints the resolved one.
#include "cli/check-report.h"
#include "cli/status-line.h"
#include "cli/verb.h"

#include "comparison/schedule-fallback.h"
#include "comparison/variants.h"
#include "loader/cluster-section.h"
#include "loader/declared-results.h"
#include "loader/listed-variants.h"
#include "loader/nearest-names.h"
#include "loader/scenario-loader.h"
#include "metrics/metric-names.h"
#include "runner/exit-codes.h"
#include "runner/run-estimate.h"
#include "runner/run-experiment.h"
#include "runner/testbed.h"
#include "runner/unfinished-run.h"
#include "units/config-error.h"
#include "units/json-text.h"
#include "units/text-pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace geotrain
{

namespace
{

/// CheckArguments are the options of the verb.
struct CheckArguments
{
    ScenarioArguments scenario;
    OutputOptions output;
};

/// Throws ConfigError where no run of flows of the names `flows` has the metric. Columns of
/// comparison.csv count: a metric with its unit, "_ci95" for its interval, and the speed-up.
void
RequireMetric(const std::string& metric,
              const std::vector<std::string>& flows,
              const std::string& file,
              const std::string& field)
{
    static const TextPattern suffix("(_s|_bps|_1/s|_FLOP/s)?(_ci95)?$");
    static const std::string speedup = "speedup";
    if (IsMetricName(metric, flows) ||
        IsMetricName(metric.substr(0, metric.size() - suffix.FindIn(metric).front().size()),
                     flows) ||
        metric == speedup)
    {
        return;
    }
    auto known = MetricNames();
    known.push_back(speedup);
    for (const auto& flow : flows)
    {
        for (const auto& prefix : FlowMetricPrefixes())
        {
            known.push_back(prefix + flow);
        }
    }
    throw ConfigError(file, field, metric, UnknownName("metric", metric, known));
}

/// Requires the metrics of `expected` and `criterion`, for the scenario's flows and its variants'.
void
CheckMetrics(const ScenarioText& text, const std::vector<std::string>& flows)
{
    const auto expectations = ReadExpectations(text);
    for (std::size_t i = 0; i < expectations.size(); ++i)
    {
        const auto field = fmt::format("expected[{}].metric", i);
        const auto& metric = expectations[i].metric;
        if (expectations[i].variant.empty() &&
            (metric == "speedup" || TextPattern("_ci95$").IsIn(metric)))
        {
            throw ConfigError(text.file, field, metric, "needs a variant: it is of a comparison");
        }
        RequireMetric(expectations[i].metric, flows, text.file, field);
    }
    const auto criteria = ReadCriteria(text);
    for (std::size_t i = 0; i < criteria.size(); ++i)
    {
        const auto place = fmt::format("criterion[{}].", i);
        RequireMetric(criteria[i].metric, flows, text.file, place + "metric");
        if (!criteria[i].overMetric.empty())
        {
            RequireMetric(criteria[i].overMetric, flows, text.file, place + "over_metric");
        }
    }
}

void
AddFlowNames(const Experiment& loaded, std::vector<std::string>& names)
{
    const auto flows = loaded.transfer ? loaded.transfer->flows : std::vector<TransferFlow>();
    for (const auto& flow : flows)
    {
        if (std::find(names.begin(), names.end(), flow.group) == names.end())
        {
            names.push_back(flow.group);
        }
    }
}

/// Checks what the scenario says of its results and prices, which a run doesn't need.
void
CheckDeclarations(const ScenarioText& text,
                  const Experiment& loaded,
                  const std::vector<VariantPlan>& variants)
{
    ReadFigures(text);
    CheckPrices(*loaded.provenance.resolved, {text.file, text.folder});
    std::vector<std::string> names;
    std::transform(variants.begin(),
                   variants.end(),
                   std::back_inserter(names),
                   [](const VariantPlan& variant) { return variant.name; });
    const auto expectations = ReadExpectations(text);
    for (std::size_t i = 0; i < expectations.size(); ++i)
    {
        const auto& variant = expectations[i].variant;
        if (!variant.empty() && std::find(names.begin(), names.end(), variant) == names.end())
        {
            throw ConfigError(text.file,
                              fmt::format("expected[{}].variant", i),
                              variant,
                              UnknownName("variant of this scenario", variant, names));
        }
    }
}

/// Begins the jobs that have fill jobs, with all fill jobs there from the start, in order to learn whether
/// some of them fit a bubble. Throws the ConfigError of a run in which none does. Over packets the bubbles
/// are others, and the run itself has to say it.
void
TryFillJobs(const Experiment& loaded)
{
    constexpr double longestSeconds = 2; // by the estimate
    Experiment trial = loaded;
    auto& jobs = trial.jobs;
    jobs.erase(std::remove_if(jobs.begin(),
                              jobs.end(),
                              [](const TrainingSpec& job) { return job.fill.jobs.empty(); }),
               jobs.end());
    if (jobs.empty())
    {
        return;
    }
    trial.crossTraffic.clear();
    trial.run.warmUpIterations = 0;
    trial.run.iterations = 2; // the first is profiled
    const auto estimate = EstimateRun(trial);
    if (!estimate || estimate->wallSeconds > longestSeconds)
    {
        return;
    }
    for (auto& job : jobs)
    {
        for (auto& fillJob : job.fill.jobs)
        {
            fillJob.arrival = Instant();
        }
    }
    EarlyEnd early(trial.run, {});
    try
    {
        RunExperiment(trial, {}, std::vector<Baseline>(jobs.size()), early);
    }
    catch (const UnfinishedRun&)
    {
        if (WasInterrupted())
        {
            throw;
        }
        return; // the run says more of it
    }
}

/// Throws ConfigError where a run would be refused as it begins.
void
RefuseAsRunDoes(const Experiment& loaded)
{
    if (!loaded.run.network->hasPackets)
    {
        RefuseLossesWithoutModel(
            loaded.testbed.wan, loaded.testbed.transport, loaded.provenance.file);
        TryFillJobs(loaded);
    }
}

int
Check(const CheckArguments& arguments)
{
    const auto text = arguments.scenario.Read();
    std::optional<StatusLine> line(std::in_place, arguments.output.quiet);
    line->Show("checking " + arguments.scenario.name);
    const auto loaded = LoadScenario(text, WithFallback(text, arguments.scenario.Assignments()));
    RefuseAsRunDoes(loaded);
    VariantRequest request;
    request.sets = arguments.scenario.sets;
    request.full = true;
    const auto variants = PlanVariants(text, request).variants;
    const bool hasVariants = variants.size() > 1 || variants.front().name != "base";
    std::vector<std::string> flows;
    AddFlowNames(loaded, flows);
    for (std::size_t i = 0; hasVariants && i < variants.size(); ++i)
    {
        const auto& variant = variants[i];
        line->Show(
            fmt::format("checking {}, {} of {} variants", variant.name, i + 1, variants.size()));
        const auto other = LoadScenario(text, WithFallback(text, variant.assignments));
        RefuseAsRunDoes(other);
        AddFlowNames(other, flows);
    }
    CheckDeclarations(text, loaded, variants);
    CheckMetrics(text, flows);
    const CheckReport report(loaded, hasVariants ? variants.size() : 0);
    line.reset();
    auto object = TryOrderedJson(PrintScenarioAsJson(*loaded.provenance.resolved));
    object["estimates"] = report.Json();
    PrintResults(
        arguments.output, object, report.Comments() + PrintScenario(*loaded.provenance.resolved));
    return exitDone;
}

} // namespace

void
AddCheckVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("check", "Check a scenario and print the resolved one", Check);
    AddScenario(verb, arguments.scenario)->required();
    AddSetOption(verb, arguments.scenario);
    AddLoadOption(verb, arguments.scenario.load);
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
The resolved scenario has all defaults filled in and all names turned into figures. Its variants are
checked too. The comments above it say what each GPU's memory holds, how large messages are, about
how long a run takes, and which WAN links stay idle; with --json they are in `estimates`.

Examples:
  geotrain check three-dc-gpt
  geotrain check my.textproto --set model.microbatches=32)");
}

} // namespace geotrain
