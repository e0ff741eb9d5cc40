// SPDX-License-Identifier: GPL-2.0-only
// run-info.json: what a run folder says about how it was made, and all that trace and summary must
// not hold: versions, command line, host, date and wall time.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

class RunInfo
{
  public:
    /// Writes the file at once, without an end, so that a killed run has one too. One seed is
    /// its `seed`, those of a comparison are its `seeds`. Throws TraceError.
    RunInfo(std::filesystem::path folder,
            const std::string& scenario,
            std::vector<std::int64_t> seeds,
            std::string commandLine);

    /// Writes it again, with the wall time and how the program exits.
    void Finish(int exitCode) const;

  private:
    void Write(const std::string& end) const;

    std::filesystem::path m_folder;
    std::string m_scenario;
    std::vector<std::int64_t> m_seeds;
    std::string m_commandLine;
    std::string m_startedAt;
    std::chrono::steady_clock::time_point m_start;
};

/// "geotrain 0.1.0, ns-3 3.37, Release build".
std::string VersionLine();

} // namespace geotrain
