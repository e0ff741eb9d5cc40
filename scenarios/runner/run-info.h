// SPDX-License-Identifier: GPL-2.0-only
// Writes and reads run-info.json, which says how a run folder was made. It holds everything that
// trace and summary must not hold: versions, command line, paths of libraries, date and wall time.
#pragma once

#include "loader/control-library.h"
#include "trace/result-file.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A RunEnvironment is what decides a run's results beside its resolved scenario and the program.
struct RunEnvironment
{
    std::vector<std::string> ns3Defaults = {};  ///< of --ns3
    std::vector<ControlLibrary> libraries = {}; ///< of --load and run.load
};

/// RunInfo is the run-info.json of one folder.
class RunInfo
{
  public:
    /// Writes the file at once, without its end, so that a killed run has one too. A single seed
    /// becomes `seed` in the file, several become `seeds`. Throws TraceError when it can't be
    /// written.
    RunInfo(std::filesystem::path folder,
            const std::string& scenario,
            std::vector<std::int64_t> seeds,
            std::string commandLine,
            RunEnvironment environment = {});

    /// Writes the file again, with the wall time, the exit code of the program, and `files`: the list of
    /// what was written below the folder since this was made (ResultList).
    void Finish(int exitCode) const;

  private:
    void Write(const std::string& end) const;

    std::filesystem::path m_folder;
    ResultRecord m_record;
    std::string m_scenario;
    std::vector<std::int64_t> m_seeds;
    std::string m_commandLine;
    RunEnvironment m_environment;
    std::string m_startedAt;
    std::chrono::steady_clock::time_point m_start;
};

/// BuildVersions are the versions that made a run.
struct BuildVersions
{
    std::string geotrain; ///< "0.2.0"
    std::string commit;   ///< git commit, with "-dirty" where files were changed; or "unknown"
    std::string ns3;      ///< version of the ns-3 package that the build found: "3.37"
};

/// A RecordedRun is what the run-info.json of an earlier run says.
struct RecordedRun
{
    bool hasEnded = false; ///< without an error
    BuildVersions versions;
    RunEnvironment environment;
    bool lacksDefaults = false; ///< the run had --ns3, and the file does not hold its values
};

/// Reads the run-info.json of a folder; nullopt where there is none that can be read.
std::optional<RecordedRun> ReadRunInfo(const std::filesystem::path& folder);

/// Sets the git commit of this build for the rest of the process.
void SetBuildCommit(const std::string& commit);

/// Returns the versions of this program.
BuildVersions VersionsOfBuild();

/// Returns the versions in a line such as "geotrain 0.2.0 (commit 0123456789ab), ns-3 3.37, Release
/// build".
std::string VersionLine();

} // namespace geotrain
