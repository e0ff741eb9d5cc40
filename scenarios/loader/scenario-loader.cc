// SPDX-License-Identifier: GPL-2.0-only
#include "loader/scenario-loader.h"
#include "loader/scale-down.h"

#include "loader/catalogue-names.h"
#include "loader/cluster-section.h"
#include "loader/compute-warnings.h"
#include "loader/field-path.h"
#include "loader/field-rules.h"
#include "loader/in-network-section.h"
#include "loader/learned-links.h"
#include "loader/model-section.h"
#include "loader/network-section.h"
#include "loader/transport-section.h"
#include "loader/unused-fields.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <algorithm>
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

/// Adds the typed settings of a resolved scenario.
LoadedScenario
WithSettings(LoadedScenario loaded, Scenario& scenario)
{
    loaded.run = ResolveRun(scenario);
    loaded.transport = SettingsOfTransport(scenario.transport());
    for (const auto& link : scenario.wan_link())
    {
        loaded.linkQueues.push_back(link.has_learned() ? "learned" : link.queue());
    }
    ScaleDown(loaded);
    return loaded;
}

/// Adds the typed settings of a resolved scenario that is to be run, and its warnings of fields
/// without effect.
LoadedScenario
ForARun(LoadedScenario loaded, Scenario& scenario)
{
    const auto unused = WarningsOfUnused(scenario);
    loaded.warnings.insert(loaded.warnings.end(), unused.begin(), unused.end());
    return WithSettings(std::move(loaded), scenario);
}

LoadedScenario
LoadTransfer(LoadedScenario loaded, Scenario& scenario, const ScenarioFile& file)
{
    RequireNoTraining(scenario, file);
    RequireMessagesOrFlows(scenario, file);
    scenario.mutable_caps();
    scenario.mutable_transport();
    scenario.mutable_run();
    ResolveCommon(scenario, file);
    WanTopology& wan = loaded.cluster.wan;
    wan = ResolveNetwork(scenario, file);
    loaded.crossTraffic = ResolveCrossTraffic(scenario, wan, file);
    loaded.transfer = ResolveTransfer(scenario, wan, file);
    return ForARun(std::move(loaded), scenario);
}

LoadedScenario
LoadUntilPlacement(LoadedScenario loaded, Scenario& scenario, const ScenarioFile& file)
{
    AddSections(scenario);
    AddInNetwork(scenario, file);
    ResolveCommon(scenario, file);
    loaded.job = ResolveModel(*scenario.mutable_model(), file);
    ResolveJob(scenario, loaded.job, file);
    const WanTopology wan = ResolveNetwork(scenario, file);
    loaded.crossTraffic = ResolveCrossTraffic(scenario, wan, file);
    ResolveTurns(scenario);
    loaded.cluster = ResolveCluster(scenario, wan, file);
    ResolveKernels(*scenario.mutable_model(), loaded.cluster, file, loaded.job);
    loaded.warnings = ComputeWarnings(loaded.job, loaded.cluster);
    return loaded;
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

std::string
ResolvedText(const LoadedScenario& scenario)
{
    const auto& comment = scenario.headComment;
    return comment + (comment.empty() ? "" : "\n") + PrintScenario(*scenario.resolved);
}

namespace
{

/// Adds the scenario's own plan up to its placement. Where it can't run as it is, it adds a warning
/// if the scenario says how it is to be trained.
void
AddOwnPlan(Scenario scenario,
           bool saysHow,
           const ScenarioFile& file,
           TriedPlans& tried,
           LoadedScenario& loaded)
{
    try
    {
        loaded.ownPlan = ResolveTraining(scenario, loaded.job, loaded.cluster, file, tried).plan;
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

LoadedScenario
LoadForPlanning(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const ScenarioFile file{text.file, text.folder};
    LoadedScenario loaded;
    loaded.file = text.file;
    const auto scenario = std::make_shared<Scenario>(ReadScenario(text, assignments));
    loaded.resolved = scenario;
    loaded.libraries = LoadLibraries(*scenario->mutable_run(), text);
    if (scenario->has_transfer())
    {
        file.Fail("transfer", "", "must not be there: a plan is made for training");
    }
    RequireReplicated(*scenario, file, "a plan is made for");
    const bool saysHow = scenario->has_parallelism();
    loaded = LoadUntilPlacement(std::move(loaded), *scenario, file);
    SetPrices(*scenario, file, loaded.cluster);
    loaded.plan = ShapeForPlanning(*scenario);
    loaded.planRanges = ResolvePlanRanges(*scenario);
    AddOwnPlan(*scenario, saysHow, file, *text.tried, loaded);
    return WithSettings(std::move(loaded), *scenario);
}

LoadedScenario
LoadScenario(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const ScenarioFile file{text.file, text.folder};
    LoadedScenario loaded;
    loaded.file = text.file;
    const auto scenario = std::make_shared<Scenario>(ReadScenario(text, assignments));
    loaded.resolved = scenario;
    loaded.libraries = LoadLibraries(*scenario->mutable_run(), text);
    loaded.headComment = HeadComment(text.text);
    if (scenario->has_transfer())
    {
        return LoadTransfer(std::move(loaded), *scenario, file);
    }
    loaded = LoadUntilPlacement(std::move(loaded), *scenario, file);
    const auto training = ResolveTraining(*scenario, loaded.job, loaded.cluster, file, *text.tried);
    loaded.plan = training.plan;
    loaded.training = training.prepared;
    loaded.inNetwork = training.inNetwork;
    loaded.inNetworkWan = training.inNetworkWan;
    loaded.warnings.insert(
        loaded.warnings.end(), training.warnings.begin(), training.warnings.end());
    if (scenario->has_inference())
    {
        loaded.inference = ResolveInference(*scenario, loaded.cluster, loaded.training, file);
        const auto estimates = ServingWarnings(loaded.cluster);
        loaded.warnings.insert(loaded.warnings.end(), estimates.begin(), estimates.end());
    }
    loaded.fill = ResolveFillJobs(*scenario, loaded.job, loaded.cluster, training, file);
    return ForARun(std::move(loaded), *scenario);
}

} // namespace geotrain
