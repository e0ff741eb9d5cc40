// SPDX-License-Identifier: GPL-2.0-only
#include "plan-study/plan-verification.h"

#include "comparison/job-pool.h"
#include "comparison/runs-together.h"
#include "loader/network-kinds.h"
#include "runner/exit-codes.h"
#include "runner/run.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numeric>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

fs::path
FolderOf(const fs::path& file)
{
    return file.parent_path() / file.stem();
}

Experiment
LoadPlan(const fs::path& file)
{
    return LoadScenario(ReadScenarioText(file.string()),
                        {{NetworkAssignment(PacketNetworkKind().name), "--verify"}});
}

Job
MakeJob(const fs::path& file, std::size_t together, const std::string& commandLine)
{
    return [file, together, commandLine](const JobProgress& progress)
    {
        const auto folder = FolderOf(file);
        return ExitCodeWithMessages(folder / "messages.txt",
                                    [&]
                                    {
                                        RunOptions options;
                                        options.folder = folder;
                                        options.commandLine = commandLine;
                                        options.progress = progress;
                                        auto scenario = LoadPlan(file);
                                        ShareMemory(scenario, together);
                                        Run(scenario, options);
                                        return exitDone;
                                    });
    };
}

VerifiedPlan
ResultOf(const fs::path& file, double analyticSeconds, int exitCode)
{
    VerifiedPlan plan;
    plan.analyticSeconds = analyticSeconds;
    const auto folder = FolderOf(file);
    if (exitCode == exitDone)
    {
        TraceReader reader((folder / "trace.pb").string());
        plan.packetSeconds = Summarize(reader).Find("iteration_time").value_or(0);
        return plan;
    }
    if (exitCode == interruptedJob)
    {
        plan.failure = "interrupted";
        return plan;
    }
    std::ifstream messages(folder / "messages.txt");
    std::string line;
    std::getline(messages, line);
    plan.failure = fmt::format("exit {}: {}", exitCode, line);
    return plan;
}

} // namespace

std::vector<VerifiedPlan>
VerifyPlans(const std::vector<fs::path>& files,
            const std::vector<double>& analyticSeconds,
            unsigned jobs,
            const std::string& commandLine,
            const ProgressCallback& progress)
{
    const auto together = std::min<std::size_t>(jobs, files.size());
    std::vector<Job> work;
    for (const auto& file : files)
    {
        fs::create_directories(FolderOf(file));
        work.push_back(MakeJob(file, together, commandLine));
    }
    const auto codes = RunJobs(work,
                               jobs,
                               [&progress](const std::vector<double>& shares)
                               {
                                   progress(std::accumulate(shares.begin(), shares.end(), 0.0) /
                                            static_cast<double>(shares.size()));
                               });
    std::vector<VerifiedPlan> plans;
    for (std::size_t index = 0; index < files.size(); ++index)
    {
        plans.push_back(ResultOf(files[index], analyticSeconds[index], codes[index]));
    }
    return plans;
}

std::vector<std::string>
ReversedRankings(const std::vector<VerifiedPlan>& plans)
{
    std::vector<std::string> reversed;
    for (std::size_t first = 0; first < plans.size(); ++first)
    {
        for (std::size_t second = first + 1; second < plans.size(); ++second)
        {
            const auto& a = plans[first];
            const auto& b = plans[second];
            if (a.failure.empty() && b.failure.empty() && a.analyticSeconds < b.analyticSeconds &&
                a.packetSeconds > b.packetSeconds)
            {
                reversed.push_back(
                    fmt::format("packets reverse the ranking: plan {} takes {:.6g} s, "
                                "plan {} only {:.6g} s",
                                first + 1,
                                a.packetSeconds,
                                second + 1,
                                b.packetSeconds));
            }
        }
    }
    return reversed;
}

} // namespace geotrain
