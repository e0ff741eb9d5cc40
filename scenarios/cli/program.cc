// SPDX-License-Identifier: GPL-2.0-only
#include "cli/program.h"

#include "cli/completion.h"
#include "cli/man-pages.h"
#include "cli/verb.h"

#include "runner/exit-codes.h"
#include "runner/run-info.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

// As a shell takes it again.
std::string
CommandLine(int argc, char** argv)
{
    std::string line = "geotrain";
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const bool plain = !argument.empty() &&
                           argument.find_first_of(" '\"[]{}*?$&|;<>()\\") == std::string::npos;
        line += " " + (plain ? argument : "'" + argument + "'");
    }
    return line;
}

std::string
Verbs(const CLI::App& app)
{
    std::string verbs;
    for (const auto* verb : app.get_subcommands({}))
    {
        verbs += (verbs.empty() ? "" : ", ") + verb->get_name();
    }
    return verbs;
}

bool
HasVerb(const CLI::App& app, const std::string& name)
{
    const auto verbs = app.get_subcommands({});
    return std::any_of(verbs.begin(),
                       verbs.end(),
                       [&name](const CLI::App* verb) { return verb->get_name() == name; });
}

// One line to stderr for what is wrong; help and version go to stdout and are no error.
int
ParseError(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() == 0)
    {
        return app.exit(error);
    }
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    fmt::print(stderr, "geotrain: {}; see geotrain --help\n", message);
    return exitInput;
}

void
AddVerbs(CLI::App& app, VerbAction& action, const std::string& commandLine)
{
    AddRunVerb(app, action, commandLine);
    AddCompareVerb(app, action, commandLine);
    AddPlanVerb(app, action, commandLine);
    AddFiguresVerb(app, action);
    AddExportVerb(app, action);
    AddCheckVerb(app, action);
    AddTransferVerb(app, action);
    AddScheduleVerb(app, action);
    AddTimingVerb(app, action);
    AddListVerb(app, action);
    app.set_version_flag("--version", VersionLine());
    app.require_subcommand(1);
    app.footer(
        "\nExamples:\n  geotrain list scenarios\n  geotrain run three-dc-gpt --network analytic\n"
        "  geotrain compare three-dc-gpt\n  geotrain VERB --help");
}

// What shells and the build ask: `--complete WORD...` prints what the last word may become, and
// `--write-man-pages FOLDER` writes the manual pages. Empty for any other command line.
VerbAction
ShellRequest(const CLI::App& app, int argc, char** argv)
{
    const std::string request = argc > 2 ? argv[1] : "";
    const std::vector<std::string> rest(argv + std::min(argc, 2), argv + argc);
    if (request == "--complete")
    {
        return [&app, rest]
        {
            fmt::print("{}", fmt::join(Completions(app, rest), "\n"));
            return exitDone;
        };
    }
    if (request == "--write-man-pages")
    {
        return [&app, rest]
        {
            WriteManPages(app, rest.front());
            return exitDone;
        };
    }
    return {};
}

} // namespace

int
RunProgram(int argc, char** argv)
{
    CLI::App app{"geotrain: what wide-area networks do to the training of language models, packet "
                 "by packet"};
    VerbAction action;
    AddVerbs(app, action, CommandLine(argc, argv));
    if (const auto request = ShellRequest(app, argc, argv))
    {
        return ExitCodeOf(request);
    }
    if (argc > 1 && argv[1][0] != '-' && !HasVerb(app, argv[1]))
    {
        fmt::print(stderr, "geotrain: \"{}\" is no verb; the verbs are {}\n", argv[1], Verbs(app));
        return exitInput;
    }
    try
    {
        app.parse(argc, argv);
    }
    catch (const CLI::ParseError& error)
    {
        return ParseError(app, error);
    }
    ExitOnTerminate();
    return ExitCodeOf(action);
}

} // namespace geotrain
