// SPDX-License-Identifier: GPL-2.0-only
#include "loader/scenario-loader.h"
#include "loader/scale-down.h"

#include "loader/catalogue-names.h"
#include "loader/cluster-section.h"
#include "loader/compute-warnings.h"
#include "loader/field-conditions.h"
#include "loader/field-rules.h"
#include "loader/fill-section.h"
#include "loader/in-network-section.h"
#include "loader/job-section.h"
#include "loader/learned-links.h"
#include "loader/model-section.h"
#include "loader/network-section.h"
#include "loader/queue-warnings.h"
#include "loader/repetition-rules.h"
#include "loader/traffic-classes.h"
#include "loader/transport-section.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

using scenario::Scenario;

/// Returns whether the scenario's own model is trained, and no jobs or transfer are there instead.
bool
IsOneTraining(const Scenario& scenario)
{
    return scenario.job_size() == 0 && !scenario.has_transfer();
}

/// Adds the sections that a scenario and its jobs may leave out, so that their defaults get filled in.
void
AddSections(Scenario& scenario)
{
    const auto addOfTraining = [](auto& training)
    {
        training.mutable_parallelism();
        training.mutable_schedule();
        training.mutable_temporal_sharing();
    };
    scenario.mutable_caps();
    scenario.mutable_transport();
    scenario.mutable_run();
    if (IsOneTraining(scenario))
    {
        scenario.mutable_model();
        addOfTraining(scenario);
        if (scenario.parallelism().data_parallelism() == scenario::IN_NETWORK)
        {
            scenario.mutable_in_network();
        }
    }
    for (auto& job : *scenario.mutable_job())
    {
        addOfTraining(job);
    }
}

/// Returns the file's name without its ending, or "scenario" where that is no valid name.
std::string
NameAfterFile(const std::string& file)
{
    const auto stem = std::filesystem::path(file).stem().string();
    Scenario probe;
    probe.set_name(stem);
    try
    {
        ApplyFieldRules(probe, file);
    }
    catch (const ConfigError&)
    {
        return "scenario";
    }
    return stem;
}

/// Sets turn_latency, unless the scenario does, to the largest delay inside a data centre.
void
ResolveTurns(Scenario& scenario)
{
    auto& temporal = *scenario.mutable_temporal_sharing();
    if (temporal.has_turn_latency())
    {
        return;
    }
    Duration longest;
    for (const auto& dataCenter : scenario.data_center())
    {
        longest = std::max(longest, ParseDuration(dataCenter.intra_delay()));
    }
    temporal.set_turn_latency(Format(longest));
}

/// Resolves what every scenario has: name, field rules and transport.
void
ResolveCommon(Scenario& scenario, const ScenarioFile& file)
{
    if (!scenario.has_name())
    {
        scenario.set_name(NameAfterFile(file.name));
    }
    CheckLearnedLinks(scenario, file);
    ApplyFieldRules(scenario, file.name);
    UseCatalogueNames(scenario);
    ResolveTransport(*scenario.mutable_transport(), file);
}

/// Resolves what `scenario` trains and on which machines of `wan`, before it is decided which worker
/// does what.
TrainingSpec
ResolveBasis(Scenario& scenario, const WanTopology& wan, const ScenarioFile& file)
{
    TrainingSpec basis;
    basis.job = ResolveModel(*scenario.mutable_model(), file);
    basis.job.model.experts.seed = static_cast<std::uint64_t>(scenario.run().seed());
    ResolveJob(scenario, basis.job, file);
    basis.cluster = ResolveCluster(scenario, wan, file);
    ResolveKernels(*scenario.mutable_model(), basis.cluster, file, basis.job);
    return basis;
}

void
Append(std::vector<std::string>& all, const std::vector<std::string>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

/// Resolves the training that `scenario` describes at its top level, on the machines of `wan`.
TrainingSpec
ResolveSpec(Scenario& scenario,
            const ScenarioFile& file,
            const WanTopology& wan,
            std::vector<std::string>& warnings)
{
    TrainingSpec spec = ResolveBasis(scenario, wan, file);
    Append(warnings, ComputeWarnings(spec.job, spec.cluster));
    ResolveTraining(scenario, spec, warnings, file);
    if (scenario.has_inference())
    {
        spec.inference = ResolveInference(scenario, spec.cluster, spec.prepared, warnings, file);
        Append(warnings, ServingWarnings(spec.cluster));
    }
    if (scenario.has_fill_jobs())
    {
        spec.fill = ResolveFillJobs(scenario, spec, file);
    }
    return spec;
}

/// Adds the typed settings of a resolved scenario, and warnings of its fields without effect.
void
AddSettings(Scenario& scenario, const ScenarioFile& file, Experiment& experiment)
{
    Append(experiment.warnings, WarningsOfUnused(scenario));
    experiment.run = ResolveRun(scenario);
    TestbedSpec& testbed = experiment.testbed;
    experiment.run.formulaInside = TakesFormulaInside(
        scenario, file, testbed.wan.NodeCount(), ServeUnlike(testbed.wan.classes));
    testbed.transport = SettingsOfTransport(scenario.transport());
    testbed.analytic = AnalyticTransportOf(scenario);
    for (const auto& link : scenario.wan_link())
    {
        testbed.linkQueues.push_back(link.has_learned() ? "learned" : link.queue());
    }
    RequireRepeatable(experiment, file);
    Append(experiment.warnings, WarningsOfQueues(experiment));
    ScaleDown(experiment);
}

/// Resolves the one training that the scenario is.
void
LoadTraining(Scenario& scenario, const ScenarioFile& file, Experiment& experiment)
{
    ResolveTurns(scenario);
    experiment.jobs.push_back(
        ResolveSpec(scenario, file, experiment.testbed.wan, experiment.warnings));
    TrainingSpec& only = experiment.jobs.front();
    only.nodes.resize(experiment.testbed.wan.NodeCount());
    std::iota(only.nodes.begin(), only.nodes.end(), 0);
}

/// Resolves all jobs, each on its part of the machines.
void
LoadJobs(Scenario& scenario, const ScenarioFile& file, Experiment& experiment)
{
    const auto places = PlaceJobs(scenario, file);
    for (int i = 0; i < scenario.job_size(); ++i)
    {
        const JobPlace& place = places[static_cast<std::size_t>(i)];
        const ScenarioFile ofJob{file.name, file.folder, "job[" + std::to_string(i) + "]"};
        Scenario one = ScenarioOfJob(scenario, i, place);
        UseCatalogueNames(one);
        ResolveTurns(one);
        WanTopology wan = experiment.testbed.wan;
        for (std::size_t site = 0; site < place.nodesOfSite.size(); ++site)
        {
            wan.sites[site].nodes = place.nodesOfSite[site];
        }
        auto& spec =
            experiment.jobs.emplace_back(ResolveSpec(one, ofJob, wan, experiment.warnings));
        spec.name = scenario.job(i).name();
        spec.start = ParseDuration(scenario.job(i).start());
        spec.owners = {static_cast<OwnerIndex>(i)};
        spec.nodes = place.nodes;
        KeepResolved(one, *scenario.mutable_job(i));
    }
}

/// Adds the scenario's own plan up to its placement. Where it can't run as it is, it adds a warning
/// if the scenario says how it is to be trained.
void
AddOwnPlan(Scenario scenario,
           bool saysHow,
           TrainingSpec& own,
           const ScenarioFile& file,
           PlanningScenario& loaded)
{
    try
    {
        std::vector<std::string> ofTheRun;
        ResolveTraining(scenario, own, ofTheRun, file);
        loaded.ownPlan = own.plan;
    }
    catch (const ConfigError& broken)
    {
        if (saysHow)
        {
            loaded.warnings.push_back(
                std::string(
                    "the scenario's own plan is not among the plans, since it can't run: ") +
                broken.what());
        }
    }
}

} // namespace

PlanningScenario
LoadForPlanning(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const ScenarioFile file{text.file, text.folder};
    PlanningScenario loaded;
    Scenario& scenario = ReadInto(loaded.provenance, text, assignments);
    if (scenario.has_transfer())
    {
        file.Fail("transfer", "", "must not be there: a plan is made for training");
    }
    if (scenario.job_size() > 0)
    {
        file.Fail("job", "", "must not be there: a plan is made for one training");
    }
    RequireReplicated(scenario, file);
    const bool saysHow = scenario.has_parallelism();
    AddSections(scenario);
    ResolveCommon(scenario, file);
    const WanTopology wan = ResolveNetwork(scenario, file, loaded.warnings);
    ResolveCrossTraffic(scenario, wan, WanPaths(wan), file);
    ResolveTurns(scenario);
    TrainingSpec basis = ResolveBasis(scenario, wan, file);
    loaded.job = basis.job;
    loaded.cluster = basis.cluster;
    Append(loaded.warnings, ComputeWarnings(loaded.job, loaded.cluster));
    SetPrices(scenario, file, loaded.cluster);
    if (scenario.parallelism().expert_parallel() > 1)
    {
        file.Fail("parallelism.expert_parallel",
                  std::to_string(scenario.parallelism().expert_parallel()),
                  "is not planned: leave it out, and each replica has all experts");
    }
    loaded.plan = ShapeForPlanning(scenario);
    loaded.planRanges = ResolvePlanRanges(scenario);
    AddOwnPlan(scenario, saysHow, basis, file, loaded);
    loaded.run = ResolveRun(scenario);
    loaded.transport = SettingsOfTransport(scenario.transport());
    return loaded;
}

Experiment
LoadScenario(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const ScenarioFile file{text.file, text.folder};
    Experiment experiment;
    Scenario& scenario = ReadInto(experiment.provenance, text, assignments);
    AddSections(scenario);
    ResolveCommon(scenario, file);
    if (scenario.job_size() > 0)
    {
        scenario.clear_sharing(); // its default; each job has its own
    }
    TestbedSpec& testbed = experiment.testbed;
    testbed.wan = ResolveNetwork(scenario, file, experiment.warnings);
    testbed.paths = std::make_shared<const WanPaths>(testbed.wan);
    experiment.crossTraffic = ResolveCrossTraffic(scenario, testbed.wan, *testbed.paths, file);
    if (scenario.has_transfer())
    {
        CheckGpuNames(scenario, file);
        experiment.transfer = ResolveTransfer(scenario, testbed.wan, file);
    }
    const auto load = IsOneTraining(scenario) ? LoadTraining : LoadJobs;
    load(scenario, file, experiment);
    ResolveClasses(scenario, file, experiment);
    AddSettings(scenario, file, experiment);
    return experiment;
}

} // namespace geotrain
