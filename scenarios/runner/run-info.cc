// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-info.h"

#include "trace/result-file.h"

#include <google/protobuf/stubs/common.h>
#include <nlohmann/json.hpp>

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

} // namespace

RunInfo::RunInfo(std::filesystem::path folder,
                 const std::string& scenario,
                 std::vector<std::int64_t> seeds,
                 std::string commandLine,
                 std::vector<std::string> ns3Defaults)
    : m_folder(std::move(folder)),
      m_scenario(scenario),
      m_seeds(std::move(seeds)),
      m_commandLine(std::move(commandLine)),
      m_ns3Defaults(std::move(ns3Defaults)),
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
    if (!m_ns3Defaults.empty())
    {
        info["ns3_defaults"] = m_ns3Defaults;
    }
    const auto versions = VersionsOfBuild();
    info["geotrain_version"] = versions.geotrain;
    info["git_commit"] = versions.commit;
    info["ns3_version"] = versions.ns3;
    info["protobuf_version"] = google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
    info["compiler"] = __VERSION__;
    info["build_type"] = GEOTRAIN_BUILD_TYPE;
    info["started_at"] = m_startedAt;
    info.update(nlohmann::ordered_json::parse(end));
    WriteIntoPlace(m_folder / "run-info.json",
                   info.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
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
