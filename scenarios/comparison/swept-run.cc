// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/swept-run.h"

#include "loader/control-library.h"
#include "runner/exit-codes.h"
#include "runner/ns3-defaults.h"
#include "runner/run.h"
#include "units/json-text.h"

#include <filesystem>

namespace geotrain
{

namespace fs = std::filesystem;

int
MakeRun(const PlannedRun& run,
        const RunManner& manner,
        std::int64_t together,
        const JobProgress& progress)
{
    return ExitCodeWithMessages(run.folder / "messages.txt",
                                [&]
                                {
                                    auto scenario = LoadScenario(*run.text, run.assignments);
                                    auto& memory = scenario.run.memoryLimit;
                                    memory = Bytes::Of(memory.Count() / together);
                                    RunOptions one;
                                    one.folder = run.folder;
                                    one.variant = run.name;
                                    one.commandLine = manner.commandLine;
                                    one.ns3Defaults = manner.ns3Defaults;
                                    one.progress = progress;
                                    one.drawsFigures = manner.drawsFigures;
                                    Run(scenario, one);
                                    return exitDone;
                                });
}

std::string
WriteRun(const PlannedRun& run, const RunManner& manner)
{
    auto assignments = nlohmann::json::array();
    for (const auto& assignment : run.assignments)
    {
        assignments.push_back({assignment.text, assignment.from});
    }
    return nlohmann::json({{"working_folder", fs::current_path().string()},
                           {"file", run.text->file},
                           {"folder", run.text->folder.string()},
                           {"text", run.text->text},
                           {"libraries", run.text->libraries},
                           {"assignments", assignments},
                           {"variant", run.name.name},
                           {"title", run.name.title},
                           {"results", run.folder.string()},
                           {"command_line", manner.commandLine},
                           {"ns3_defaults", manner.ns3Defaults},
                           {"draws_figures", manner.drawsFigures}})
        .dump();
}

int
MakeWrittenRun(const std::string& written, std::int64_t together)
{
    const auto read = TryJson(written);
    fs::current_path(read["working_folder"].get<std::string>());
    ScenarioText text{read["file"], read["folder"].get<std::string>(), read["text"], read["libraries"]};
    LoadControlLibraries(text.libraries);
    PlannedRun run;
    run.text = &text;
    run.name = {read["variant"], read["title"]};
    for (const auto& assignment : read["assignments"])
    {
        run.assignments.push_back({assignment[0], assignment[1]});
    }
    run.folder = read["results"].get<std::string>();
    const RunManner manner{read["command_line"], read["ns3_defaults"], read["draws_figures"]};
    if (!manner.ns3Defaults.empty())
    {
        const auto bearer = LoadScenario(text, run.assignments).testbed.transport.bearer;
        SetNs3Defaults(manner.ns3Defaults, {bearer});
    }
    return MakeRun(run, manner, together, [](double) {});
}

} // namespace geotrain
