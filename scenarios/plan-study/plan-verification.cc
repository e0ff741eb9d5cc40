// SPDX-License-Identifier: GPL-2.0-only
#include "plan-study/plan-verification.h"

#include "comparison/planned-runs.h"
#include "loader/network-kinds.h"
#include "runner/exit-codes.h"

#include <fmt/format.h>

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

VerifiedPlan
ResultOf(const fs::path& file, double analyticSeconds, int exitCode)
{
    VerifiedPlan plan;
    plan.analyticSeconds = analyticSeconds;
    const auto folder = FolderOf(file);
    if (exitCode == exitDone)
    {
        plan.packetSeconds = SummaryOf(folder).Find("iteration_time").value_or(0);
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
    std::vector<ScenarioText> texts;
    for (const auto& file : files)
    {
        texts.push_back(ReadScenarioText(file.string()));
    }
    std::vector<PlannedRun> runs;
    for (std::size_t index = 0; index < files.size(); ++index)
    {
        runs.push_back({&texts[index],
                        index,
                        {},
                        {{NetworkAssignment(PacketNetworkKind().name), "--verify"}},
                        FolderOf(files[index])});
    }
    RunPool pool;
    pool.jobs = jobs;
    pool.commandLine = commandLine;
    pool.progress = [&progress](const std::vector<double>& shares)
    {
        progress(std::accumulate(shares.begin(), shares.end(), 0.0) /
                 static_cast<double>(shares.size()));
    };
    const auto codes = RunAll(runs, pool);
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
