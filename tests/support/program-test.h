// SPDX-License-Identifier: GPL-2.0-only
// Runs the geotrain program as a user does, in a folder of the test's own. The target needs
// GEOTRAIN_PROGRAM, the program's path.
#pragma once

#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/wait.h>

namespace geotrain
{

/// The verbs of the program.
constexpr const char* allVerbs[] = {"run",
                                    "compare",
                                    "plan",
                                    "figures",
                                    "export",
                                    "check",
                                    "transfer",
                                    "schedule",
                                    "timing",
                                    "fit-gpu",
                                    "import",
                                    "learn",
                                    "live",
                                    "list"};

class ProgramTest : public testing::Test
{
  protected:
    struct Outcome
    {
        int code = 0; ///< 128: ended by a signal
        std::string out;
        std::string error;
    };

    Outcome Geotrain(const std::string& arguments) const
    {
        const std::string command = "cd '" + m_folder.string() + "' && '" GEOTRAIN_PROGRAM "' " +
                                    arguments + " > out.txt 2> error.txt";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128,
                Contents(m_folder / "out.txt"),
                Contents(m_folder / "error.txt")};
    }

    /// Returns what a trace holds without its compression, whose bytes depend on when it was flushed;
    /// empty where there is no trace.
    std::string Unpacked(const std::filesystem::path& trace) const
    {
        const auto raw = m_folder / "unpacked";
        const auto command =
            "gzip -dc < '" + trace.string() + "' > '" + raw.string() + "' 2> /dev/null";
        return std::system(command.c_str()) >= 0 ? Contents(raw) : "";
    }

    void Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder / name) << text;
    }

    /// Writes small.textproto, a training over two data centres with two variants, and `more`.
    void WriteSmall(const std::string& more = "") const
    {
        Write("small.textproto", R"(
model { transformer { layers: 4 hidden: 256 heads: 4 vocabulary: 1000 } sequence: 128 microbatches: 4 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
variant { name: "plain" }
variant { name: "gpipe" set: "schedule.name=gpipe" }
)" + more);
    }

  private:
    TemporaryFolder m_temporary;

  protected:
    const std::filesystem::path m_folder = m_temporary.Path();
};

} // namespace geotrain
