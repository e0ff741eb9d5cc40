// SPDX-License-Identifier: GPL-2.0-only
#include "cli/run-again.h"

#include "cli/status-line.h"
#include "cli/terminal-width.h"

#include "comparison/text-table.h"
#include "loader/scenario-loader.h"
#include "runner/earlier-run.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/run-folder.h"
#include "runner/stderr-text.h"
#include "units/config-error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace geotrain
{

namespace
{

/// AgainResult is a repeated run beside the earlier one.
struct AgainResult
{
    std::string folder;
    RunDifference difference;
    BuildVersions then;
    BuildVersions now;

    bool IsEqual() const
    {
        return !difference.trace && !difference.summary;
    }

    bool HasSameVersions() const
    {
        return then.geotrain == now.geotrain && then.commit == now.commit && then.ns3 == now.ns3;
    }

    int Code() const
    {
        return IsEqual() ? exitDone : HasSameVersions() ? exitInternal : exitInput;
    }
};

/// Returns where the library of an earlier run is: in one of the files `given`, or where it was.
/// Throws ConfigError where it is in none of them.
std::string
PlaceNow(const ControlLibrary& library, const std::vector<std::string>& given)
{
    for (const auto& path : given)
    {
        if (Sha256Of(path) == library.sha256)
        {
            return path;
        }
    }
    const auto now = Sha256Of(library.path);
    if (now != library.sha256)
    {
        throw ConfigError(
            "--again",
            "",
            library.path.string(),
            fmt::format("{}; the run had the library with SHA-256 {}, and --load says "
                        "where it is now",
                        now.empty() ? "can't be read" : "is another library now",
                        library.sha256));
    }
    return library.path.string();
}

/// Throws ConfigError where the earlier run had no library like one of the files `given`.
void
RequireKnown(const std::vector<std::string>& given, const std::vector<ControlLibrary>& libraries)
{
    for (const auto& path : given)
    {
        const auto hash = Sha256Of(path);
        if (std::none_of(libraries.begin(),
                         libraries.end(),
                         [&hash](const auto& library) { return library.sha256 == hash; }))
        {
            throw ConfigError("--load", "", path, "is none of the run's libraries");
        }
    }
}

/// Returns the earlier run's scenario with its libraries as they are now.
Experiment
LoadAgain(EarlierRun& earlier, const std::vector<std::string>& given)
{
    RequireKnown(given, earlier.libraries);
    for (const auto& library : earlier.libraries)
    {
        earlier.text.libraries.push_back(
            std::filesystem::absolute(PlaceNow(library, given)).string());
    }
    const bool hasLibraries = !earlier.libraries.empty();
    return LoadScenario(earlier.text,
                        hasLibraries ? std::vector<Assignment>{{"run.load=", "--again"}}
                                     : std::vector<Assignment>{});
}

AgainResult
Repeat(const AgainRequest& request)
{
    auto earlier = ReadEarlierRun(request.earlier);
    const auto scenario = LoadAgain(earlier, request.load);
    SetNs3Defaults(earlier.options.ns3Defaults, {scenario.testbed.transport.bearer});
    AgainResult result;
    result.then = earlier.versions;
    result.now = VersionsOfBuild();
    RunOptions options = earlier.options;
    options.folder = MakeRunFolder(request.out, scenario.run.name, request.force);
    options.commandLine = request.output.commandLine;
    result.folder = options.folder.string();
    CatchInterrupts();
    StatusLine line(request.output.quiet);
    options.progress = [&](double share) { line.Show(share, scenario.run.name); };
    Run(scenario, options);
    result.difference = DifferenceOf(request.earlier, options.folder);
    return result;
}

std::string
Versions(const BuildVersions& versions)
{
    return fmt::format(
        "geotrain {} (commit {}) with ns-3 {}", versions.geotrain, versions.commit, versions.ns3);
}

std::string
AgainText(const AgainRequest& request, const AgainResult& result)
{
    const auto earlier = request.earlier.string();
    if (result.IsEqual())
    {
        return Paragraph(fmt::format("equal: trace.pb (after decompression) and summary.csv of {} "
                                     "are those of {}, byte for byte",
                                     result.folder,
                                     earlier),
                         TableColumns());
    }
    const auto state = [](bool differs) { return differs ? "differs" : "is equal"; };
    std::string text =
        Paragraph(fmt::format("different: trace.pb {}, summary.csv {}: {} is not {} again",
                              state(result.difference.trace),
                              state(result.difference.summary),
                              result.folder,
                              earlier),
                  TableColumns());
    constexpr std::size_t most = 10;
    const auto& metrics = result.difference.metrics;
    for (std::size_t i = 0; i < metrics.size() && i < most; ++i)
    {
        text += "  " + metrics[i] + "\n";
    }
    if (metrics.size() > most)
    {
        text += fmt::format("  and {} more\n", metrics.size() - most);
    }
    return text;
}

/// Says where a difference may come from.
std::string
WhyDifferent(const AgainResult& result)
{
    if (result.HasSameVersions())
    {
        return "the same version gave other bytes, which is an error in geotrain: " +
               Versions(result.now);
    }
    return "the versions differ: " + Versions(result.then) + " then, " + Versions(result.now) +
           " now";
}

nlohmann::ordered_json
VersionsJson(const BuildVersions& versions)
{
    return {
        {"geotrain", versions.geotrain}, {"git_commit", versions.commit}, {"ns3", versions.ns3}};
}

nlohmann::ordered_json
AgainJson(const AgainRequest& request, const AgainResult& result)
{
    return {{"again", request.earlier.string()},
            {"folder", result.folder},
            {"equal", result.IsEqual()},
            {"trace_equal", !result.difference.trace},
            {"summary_equal", !result.difference.summary},
            {"different_metrics", result.difference.metrics},
            {"same_version", result.HasSameVersions()},
            {"version_then", VersionsJson(result.then)},
            {"version_now", VersionsJson(result.now)},
            {"exit_code", result.Code()}};
}

} // namespace

int
RunAgain(const AgainRequest& request)
{
    const auto result = Repeat(request);
    PrintResults(request.output, AgainJson(request, result), AgainText(request, result));
    if (!result.IsEqual() || !result.HasSameVersions())
    {
        PrintToStderr("{}", Paragraph(WhyDifferent(result), TableColumns(STDERR_FILENO)));
    }
    return result.Code();
}

} // namespace geotrain
