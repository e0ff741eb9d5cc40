// SPDX-License-Identifier: GPL-2.0-only
#include "loader/scenario-loader.h"
#include "loader/scale-down.h"

#include "loader/catalogue-names.h"
#include "loader/cluster-section.h"
#include "loader/compute-warnings.h"
#include "loader/field-path.h"
#include "loader/field-rules.h"
#include "loader/in-network-section.h"
#include "loader/job-section.h"
#include "loader/learned-links.h"
#include "loader/model-section.h"
#include "loader/network-section.h"
#include "loader/transport-section.h"
#include "loader/unused-fields.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace geotrain
{

namespace
{

using scenario::Scenario;

/// Adds the sections that a scenario may leave out, so that their defaults get filled in.
void
AddSections(Scenario& scenario)
{
    scenario.mutable_model();
    scenario.mutable_parallelism();
    scenario.mutable_caps();
    scenario.mutable_transport();
    scenario.mutable_schedule();
    scenario.mutable_temporal_sharing();
    scenario.mutable_run();
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

void
CheckVariants(const Scenario& scenario, const ScenarioFile& file)
{
    std::set<std::string> names;
    std::set<std::string> titles;
    for (int i = 0; i < scenario.variant_size(); ++i)
    {
        const auto& variant = scenario.variant(i);
        const auto path = "variant[" + std::to_string(i) + "]";
        if (!names.insert(variant.name()).second)
        {
            file.Fail(path + ".name", variant.name(), "must be the name of one variant only");
        }
        if (variant.has_title() && !titles.insert(variant.title()).second)
        {
            file.Fail(path + ".title", variant.title(), "must be the title of one variant only");
        }
    }
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

/// Loads the libraries of run.load, and adds those of `text`. The resolved scenario has absolute
/// paths, since it is read again from other folders.
std::vector<ControlLibrary>
LoadLibraries(scenario::Run& run, const ScenarioText& text)
{
    std::vector<ControlLibrary> libraries;
    const auto add = [&libraries](const ControlLibrary& library)
    {
        const auto isSame = [&library](const auto& one) { return one.sha256 == library.sha256; };
        if (std::none_of(libraries.begin(), libraries.end(), isSame))
        {
            libraries.push_back(library);
        }
    };
    for (int i = 0; i < run.load_size(); ++i)
    {
        const auto field = "run.load[" + std::to_string(i) + "]";
        add(LoadControlLibrary(run.load(i), field, {text.file, text.folder}));
    }
    for (const auto& path : text.libraries)
    {
        add(LoadControlLibrary(path, "", {"--load", ""}));
    }
    run.clear_load();
    for (const auto& library : libraries)
    {
        run.add_load(library.path.string());
    }
    return libraries;
}

/// Resolves what every scenario has: name, field rules, variants and transport.
void
ResolveCommon(Scenario& scenario, const ScenarioFile& file)
{
    if (!scenario.has_name())
    {
        scenario.set_name(NameAfterFile(file.name));
    }
    CheckLearnedLinks(scenario, file);
    ApplyFieldRules(scenario, file.name);
    CheckVariants(scenario, file);
    UseCatalogueNames(scenario);
    ResolveTransport(*scenario.mutable_transport(), file);
}

/// A Basis is what a scenario says of training before it is decided which worker does what.
struct Basis
{
    TrainingJob job;
    Cluster cluster;
};

/// Resolves what `scenario` trains and on which machines of `wan`.
Basis
ResolveBasis(Scenario& scenario, const WanTopology& wan, const ScenarioFile& file)
{
    Basis basis;
    basis.job = ResolveModel(*scenario.mutable_model(), file);
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
    TrainingSpec spec;
    const Basis basis = ResolveBasis(scenario, wan, file);
    spec.job = basis.job;
    spec.cluster = basis.cluster;
    Append(warnings, ComputeWarnings(spec.job, spec.cluster));
    const auto training = ResolveTraining(scenario, spec.job, spec.cluster, file);
    spec.plan = training.plan;
    spec.prepared = training.prepared;
    spec.inNetwork = training.inNetwork;
    spec.inNetworkWan = training.inNetworkWan;
    Append(warnings, training.warnings);
    if (scenario.has_inference())
    {
        spec.inference = ResolveInference(scenario, spec.cluster, spec.prepared, file);
        Append(warnings, ServingWarnings(spec.cluster));
    }
    spec.fill = ResolveFillJobs(scenario, spec.job, spec.cluster, training, file);
    return spec;
}

/// Resolves the network and what others send over it.
void
ResolveTestbed(Scenario& scenario, const ScenarioFile& file, Experiment& experiment)
{
    experiment.testbed.wan = ResolveNetwork(scenario, file);
    experiment.crossTraffic = ResolveCrossTraffic(scenario, experiment.testbed.wan, file);
}

/// Adds the typed settings of a resolved scenario, and warnings of its fields without effect.
void
AddSettings(Scenario& scenario, Experiment& experiment)
{
    Append(experiment.warnings, WarningsOfUnused(scenario));
    experiment.run = ResolveRun(scenario);
    TestbedSpec& testbed = experiment.testbed;
    testbed.transport = SettingsOfTransport(scenario.transport());
    testbed.analytic = AnalyticTransportOf(scenario);
    for (const auto& link : scenario.wan_link())
    {
        testbed.linkQueues.push_back(link.has_learned() ? "learned" : link.queue());
    }
    ScaleDown(experiment);
}

void
LoadTransfer(Scenario& scenario, const ScenarioFile& file, Experiment& experiment)
{
    RequireNoTraining(scenario, file);
    RequireMessagesOrFlows(scenario, file);
    scenario.mutable_caps();
    scenario.mutable_transport();
    scenario.mutable_run();
    ResolveCommon(scenario, file);
    ResolveTestbed(scenario, file, experiment);
    experiment.transfer = ResolveTransfer(scenario, experiment.testbed.wan, file);
}

void
LoadTraining(Scenario& scenario,
             const ScenarioFile& file,
              Experiment& experiment)
{
    AddSections(scenario);
    AddInNetwork(scenario, file);
    ResolveCommon(scenario, file);
    ResolveTestbed(scenario, file, experiment);
    ResolveTurns(scenario);
    experiment.jobs.push_back(
        ResolveSpec(scenario, file, experiment.testbed.wan, experiment.warnings));
    TrainingSpec& only = experiment.jobs.front();
    only.nodes.resize(experiment.testbed.wan.NodeCount());
    std::iota(only.nodes.begin(), only.nodes.end(), 0);
}

/// Loads a scenario of several jobs, beside which there may be a transfer.
void
LoadJobs(Scenario& scenario, const ScenarioFile& file, Experiment& experiment)
{
    RequireJobsAlone(scenario, file);
    if (scenario.has_transfer())
    {
        RequireMessagesOrFlows(scenario, file);
    }
    AddSectionsOfJobs(scenario);
    ResolveCommon(scenario, file);
    scenario.clear_sharing(); // its default; each job has its own
    ResolveTestbed(scenario, file, experiment);
    if (scenario.has_transfer())
    {
        experiment.transfer = ResolveTransfer(scenario, experiment.testbed.wan, file);
    }
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
        spec.owner = static_cast<OwnerIndex>(i);
        spec.nodes = place.nodes;
        KeepResolved(one, *scenario.mutable_job(i));
    }
}

/// Returns the lines at the top of the text that begin with `#`.
std::string
HeadComment(const std::string& text)
{
    std::size_t end = 0;
    while (end < text.size() && text[end] == '#')
    {
        const auto line = text.find('\n', end);
        end = line == std::string::npos ? text.size() : line + 1;
    }
    auto comment = text.substr(0, end);
    comment += comment.empty() || comment.back() == '\n' ? "" : "\n";
    return comment;
}

} // namespace

Scenario
ReadScenario(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    auto scenario = ParseScenario(text.text, text.file);
    for (const auto& assignment : assignments)
    {
        const auto [path, value] = SplitAssignment(assignment.text, assignment.from, "");
        SetField(scenario, path, value, assignment.from);
        scenario.clear_expected(); // holds for the scenario as it is written
    }
    return scenario;
}

void
CheckAssignments(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    ReadScenario(text, assignments);
}

std::string
NameOf(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const auto scenario = ReadScenario(text, assignments);
    return scenario.has_name() ? scenario.name() : std::filesystem::path(text.file).stem().string();
}

std::int64_t
SeedOf(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const auto run = ReadScenario(text, assignments).run();
    Scenario defaults;
    ApplyFieldRules(*defaults.mutable_run(), text.file);
    return run.has_seed() ? run.seed() : defaults.run().seed();
}

std::vector<bool>
AsksForFastest(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const auto scenario = ReadScenario(text, assignments);
    const auto asks = [](const auto& job) { return job.schedule().fallback() == scenario::FASTEST; };
    std::vector<bool> jobs;
    std::transform(scenario.job().begin(), scenario.job().end(), std::back_inserter(jobs), asks);
    return jobs.empty() ? std::vector<bool>{asks(scenario)} : jobs;
}

std::string
ResolvedText(const Provenance& provenance)
{
    const auto& comment = provenance.headComment;
    return comment + (comment.empty() ? "" : "\n") + PrintScenario(*provenance.resolved);
}

namespace
{

/// Adds the scenario's own plan up to its placement. Where it can't run as it is, it adds a warning
/// if the scenario says how it is to be trained.
void
AddOwnPlan(Scenario scenario,
           bool saysHow,
           const ScenarioFile& file,
           PlanningScenario& loaded)
{
    try
    {
        loaded.ownPlan = ResolveTraining(scenario, loaded.job, loaded.cluster, file).plan;
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

/// Reads the scenario of `text` into `provenance`, and returns it.
Scenario&
ReadInto(Provenance& provenance,
         const ScenarioText& text,
         const std::vector<Assignment>& assignments)
{
    const auto scenario = std::make_shared<Scenario>(ReadScenario(text, assignments));
    provenance.file = text.file;
    provenance.resolved = scenario;
    provenance.headComment = HeadComment(text.text);
    provenance.libraries = LoadLibraries(*scenario->mutable_run(), text);
    return *scenario;
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
    RequireReplicated(scenario, file, "a plan is made for");
    const bool saysHow = scenario.has_parallelism();
    AddSections(scenario);
    AddInNetwork(scenario, file);
    ResolveCommon(scenario, file);
    const WanTopology wan = ResolveNetwork(scenario, file);
    ResolveCrossTraffic(scenario, wan, file);
    ResolveTurns(scenario);
    const Basis basis = ResolveBasis(scenario, wan, file);
    loaded.job = basis.job;
    loaded.cluster = basis.cluster;
    loaded.warnings = ComputeWarnings(loaded.job, loaded.cluster);
    SetPrices(scenario, file, loaded.cluster);
    loaded.plan = ShapeForPlanning(scenario);
    loaded.planRanges = ResolvePlanRanges(scenario);
    AddOwnPlan(scenario, saysHow, file, loaded);
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
    if (scenario.job_size() > 0)
    {
        LoadJobs(scenario, file, experiment);
    }
    else if (scenario.has_transfer())
    {
        LoadTransfer(scenario, file, experiment);
    }
    else
    {
        LoadTraining(scenario, file, experiment);
    }
    AddSettings(scenario, experiment);
    return experiment;
}

} // namespace geotrain
