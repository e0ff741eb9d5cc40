// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-info.h"

#include "runner/exit-codes.h"
#include "runner/result-list.h"
#include "units/json-text.h"

#include <google/protobuf/stubs/common.h>

#include <ctime>
#include <utility>

namespace geotrain
{

namespace
{

std::string&
BuildCommit()
{
    static std::string commit = "unknown";
    return commit;
}

std::string
NowUtc()
{
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    char text[32] = {};
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

nlohmann::ordered_json
JsonOf(const std::vector<ControlLibrary>& libraries)
{
    auto list = nlohmann::ordered_json::array();
    for (const auto& library : libraries)
    {
        list.push_back({{"path", library.path.string()},
                        {"sha256", library.sha256},
                        {"congestion_controls", library.controls}});
    }
    return list;
}

std::vector<ControlLibrary>
LibrariesOf(const nlohmann::ordered_json& list)
{
    std::vector<ControlLibrary> libraries;
    for (const auto& library : list)
    {
        libraries.push_back({library.at("path").get<std::string>(),
                             library.at("sha256").get<std::string>(),
                             library.at("congestion_controls").get<std::vector<std::string>>()});
    }
    return libraries;
}

/// Returns what the object of a run-info.json says. Throws nlohmann's exception where a value has
/// another type than RunInfo writes.
RecordedRun
RecordedRunOf(const nlohmann::ordered_json& info)
{
    RecordedRun run;
    run.hasEnded = info.value("exit_code", -1) == exitDone;
    run.versions = {info.value("geotrain_version", "unknown"),
                    info.value("git_commit", "unknown"),
                    info.value("ns3_version", "unknown")};
    const auto none = nlohmann::ordered_json::array();
    run.environment = {info.value("ns3_defaults", std::vector<std::string>{}),
                       LibrariesOf(info.value("libraries", none))};
    run.lacksDefaults = !info.contains("ns3_defaults") &&
                        info.value("command_line", "").find(" --ns3") != std::string::npos;
    return run;
}

/// Lists a folder's run-info.json in the record of the run that it is a part of.
std::filesystem::path
Listed(std::filesystem::path folder)
{
    RecordResult(folder / RUN_INFO);
    return folder;
}

} // namespace

RunInfo::RunInfo(std::filesystem::path folder,
                 const std::string& scenario,
                 std::vector<std::int64_t> seeds,
                 std::string commandLine,
                 RunEnvironment environment)
    : m_folder(Listed(std::move(folder))),
      m_record(m_folder),
      m_scenario(scenario),
      m_seeds(std::move(seeds)),
      m_commandLine(std::move(commandLine)),
      m_environment(std::move(environment)),
      m_startedAt(NowUtc()),
      m_start(std::chrono::steady_clock::now())
{
    Write("{}");
}

void
RunInfo::Finish(int exitCode) const
{
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - m_start;
    nlohmann::ordered_json end;
    end["wall_s"] = wall.count();
    end["exit_code"] = exitCode;
    Write(end.dump());
    std::filesystem::remove(ResultRecord::In(m_folder));
}

void
RunInfo::Write(const std::string& end) const
{
    nlohmann::ordered_json info;
    info["scenario"] = m_scenario;
    if (m_seeds.size() == 1)
    {
        info["seed"] = m_seeds.front();
    }
    else
    {
        info["seeds"] = m_seeds;
    }
    info["command_line"] = m_commandLine;
    if (!m_environment.ns3Defaults.empty())
    {
        info["ns3_defaults"] = m_environment.ns3Defaults;
    }
    if (!m_environment.libraries.empty())
    {
        info["libraries"] = JsonOf(m_environment.libraries);
    }
    const auto versions = VersionsOfBuild();
    info["geotrain_version"] = versions.geotrain;
    info["git_commit"] = versions.commit;
    info["ns3_version"] = versions.ns3;
    info["protobuf_version"] = google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
    info["compiler"] = __VERSION__;
    info["build_type"] = GEOTRAIN_BUILD_TYPE;
    info["started_at"] = m_startedAt;
    info.update(TryOrderedJson(end));
    info["files"] = ResultListOf(m_folder);
    WriteIntoPlace(m_folder / RUN_INFO,
                   info.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::optional<RecordedRun>
ReadRunInfo(const std::filesystem::path& folder)
{
    const auto info = TryJsonFile(folder / RUN_INFO);
    if (!info.is_object())
    {
        return std::nullopt;
    }
    try
    {
        return RecordedRunOf(info);
    }
    catch (const nlohmann::json::exception&)
    {
        return std::nullopt;
    }
}

void
SetBuildCommit(const std::string& commit)
{
    BuildCommit() = commit;
}

BuildVersions
VersionsOfBuild()
{
    // ns3::Version of a distribution's package names no version.
    return {GEOTRAIN_VERSION, BuildCommit(), GEOTRAIN_NS3_VERSION};
}

std::string
VersionLine()
{
    const auto versions = VersionsOfBuild();
    return "geotrain " + versions.geotrain + " (commit " + versions.commit + "), ns-3 " +
           versions.ns3 + ", " + GEOTRAIN_BUILD_TYPE + " build";
}

} // namespace geotrain
