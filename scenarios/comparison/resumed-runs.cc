// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/resumed-runs.h"

#include "loader/assignment.h"
#include "runner/run-info.h"
#include "units/config-error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <iterator>
#include <set>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns the settings of --ns3 that hold, in the order of their names: the last one of a name.
std::vector<std::string>
InForce(const std::vector<std::string>& settings)
{
    std::map<std::string, std::string> values;
    for (const auto& setting : settings)
    {
        const auto [name, value] = SplitAssignment(setting, "--ns3", "");
        values[name] = value;
    }
    std::vector<std::string> inForce;
    for (const auto& [name, value] : values)
    {
        inForce.push_back(name + "=" + value);
    }
    return inForce;
}

std::string
NoneOr(const std::vector<std::string>& parts)
{
    return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

/// Returns each library's name with the first digits of its hash.
std::vector<std::string>
NamesWithHash(const std::vector<ControlLibrary>& libraries)
{
    std::vector<std::string> names;
    for (const auto& library : libraries)
    {
        names.push_back(fmt::format(
            "{} (SHA-256 {}...)", library.path.filename().string(), library.sha256.substr(0, 12)));
    }
    return names;
}

std::multiset<std::string>
HashesOf(const std::vector<ControlLibrary>& libraries)
{
    std::multiset<std::string> hashes;
    for (const auto& library : libraries)
    {
        hashes.insert(library.sha256);
    }
    return hashes;
}

/// Returns how the surroundings of an earlier run differ from those of now; empty where they are
/// the same.
std::string
DifferenceOf(const RecordedRun& then, const RunEnvironment& now)
{
    if (then.lacksDefaults)
    {
        return "ran with settings of --ns3 that its folder does not hold";
    }
    const auto before = InForce(then.environment.ns3Defaults);
    const auto after = InForce(now.ns3Defaults);
    if (before != after)
    {
        return fmt::format("ran with --ns3 {}, and now with {}", NoneOr(before), NoneOr(after));
    }
    if (HashesOf(then.environment.libraries) != HashesOf(now.libraries))
    {
        return fmt::format("ran with --load {}, and now with {}",
                           NoneOr(NamesWithHash(then.environment.libraries)),
                           NoneOr(NamesWithHash(now.libraries)));
    }
    return "";
}

/// Returns what to say of a run whose resolved scenario is another one.
std::string
OtherScenario(const BuildVersions& then)
{
    const auto now = VersionsOfBuild();
    if (then.geotrain == now.geotrain && then.commit == now.commit)
    {
        return "ran another scenario";
    }
    return fmt::format("ran another scenario, or one whose defaults were others in geotrain {} "
                       "(commit {}), which wrote it; this is {} (commit {})",
                       then.geotrain,
                       then.commit,
                       now.geotrain,
                       now.commit);
}

} // namespace

EarlierState
StateOf(const PlannedRun& run, const std::vector<std::string>& ns3Defaults)
{
    const auto then = ReadRunInfo(run.folder);
    if (!then || !then->hasEnded || !fs::exists(run.folder / "summary.csv"))
    {
        return {};
    }
    try
    {
        const auto scenario = LoadScenario(*run.text, run.assignments);
        auto difference = DifferenceOf(*then, {ns3Defaults, scenario.provenance.libraries});
        std::ifstream file(run.folder / "scenario.textproto", std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        if (difference.empty() && text != ResolvedText(scenario.provenance))
        {
            difference = OtherScenario(then->versions);
        }
        return {difference.empty(), difference};
    }
    catch (const ConfigError&)
    {
        return {}; // the run will report the error
    }
}

void
ResumedRuns::Count(const EarlierState& state)
{
    kept += state.isComplete ? 1 : 0;
    unfinished += !state.isComplete && state.difference.empty() ? 1 : 0;
    if (!state.difference.empty())
    {
        ++different[state.difference];
    }
}

std::string
ResumedRuns::Text() const
{
    if (kept == 0 && different.empty())
    {
        return "";
    }
    std::size_t all = kept + unfinished;
    std::string others;
    for (const auto& [difference, runs] : different)
    {
        all += runs;
        others += fmt::format(
            "{} {} started again: each {}\n", runs, runs == 1 ? "run is" : "runs are", difference);
    }
    const auto notEnded = unfinished > 0 ? fmt::format(", {} had not ended", unfinished) : "";
    return fmt::format("{} of {} runs are kept{}\n{}", kept, all, notEnded, others);
}

} // namespace geotrain
