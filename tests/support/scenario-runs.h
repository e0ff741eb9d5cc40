// SPDX-License-Identifier: GPL-2.0-only
// Runs scenarios through the runner, each in a folder, for tests of whole runs.
#pragma once

#include "runner/run.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

inline Summary
RunIn(const std::filesystem::path& folder,
      const Experiment& scenario,
      const std::string& commandLine = "")
{
    RunOptions options;
    options.folder = folder;
    options.commandLine = commandLine;
    return geotrain::Run(scenario, options);
}

/// Runs a scenario in a folder that is deleted afterwards.
inline Summary
RunOnce(const Experiment& scenario)
{
    const TemporaryFolder folder;
    return RunIn(folder.Path(), scenario);
}

/// Runs a scenario in a process of its own, since ns-3 keeps its simulator in globals. The test
/// fails if `load` or the run throws.
inline void
RunInAProcess(const std::filesystem::path& folder,
              const std::function<Experiment()>& load,
              const std::string& commandLine = "")
{
    const pid_t child = fork();
    if (child == 0)
    {
        int code = 0;
        try
        {
            RunIn(folder, load(), commandLine);
        }
        catch (const std::exception& error)
        {
            std::fprintf(stderr, "%s\n", error.what());
            code = 1;
        }
        _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

} // namespace geotrain
