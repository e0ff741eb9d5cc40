// SPDX-License-Identifier: GPL-2.0-only
#include "cli/program.h"

#include "cli/completion.h"
#include "cli/man-pages.h"
#include "cli/stdout-text.h"
#include "cli/verb.h"

#include "runner/exit-codes.h"
#include "runner/run-info.h"
#include "runner/stderr-text.h"
#include "units/config-error.h"

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace geotrain
{

namespace
{

/// Returns the command line as a shell takes it again.
std::string
CommandLine(int argc, char** argv)
{
    std::string line = "geotrain";
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const bool plain = !argument.empty() &&
                           argument.find_first_of(" '\"[]{}*?$&|;<>()\\") == std::string::npos;
        line +=
            " " + (plain ? argument : "'" + boost::replace_all_copy(argument, "'", "'\\''") + "'");
    }
    return line;
}

std::vector<std::string>
VerbNames(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const auto* verb : app.get_subcommands({}))
    {
        names.push_back(verb->get_name());
    }
    return names;
}

/// Returns CLI11's message, and where the help stands that tells more.
std::string
MessageOf(const CLI::App& app, const CLI::ParseError& error)
{
    const auto chosen = app.get_subcommands();
    const auto verb = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    const auto hint =
        chosen.empty() ? fmt::format("; the verbs are {}", fmt::join(VerbNames(app), ", ")) : "";
    return ConfigError("geotrain",
                       "",
                       "",
                       fmt::format("{}{}; see geotrain {}--help", error.what(), hint, verb))
        .what();
}

/// Returns the object that takes the place of a verb's own where the verb failed.
std::string
ErrorObject(const std::string& message, int code)
{
    nlohmann::ordered_json object;
    object["error"]["message"] = message;
    object["error"]["exit_code"] = code;
    return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// Reports an error to stderr, and on stdout too where JSON is asked for. Returns its exit code.
int
ReportError(const WorkOutcome& outcome, bool json)
{
    if (outcome.error.empty())
    {
        return outcome.code;
    }
    PrintToStderr("{}\n", outcome.error);
    if (json)
    {
        PrintToStdout(ErrorObject(outcome.error, outcome.code));
    }
    return outcome.code;
}

/// Prints the help or the version that was asked for.
WorkOutcome
PrintAnswer(const CLI::App& app, const CLI::ParseError& asked, bool json)
{
    std::ostringstream text;
    app.exit(asked, text, text);
    if (!json)
    {
        PrintToStdout(text.str());
        return {};
    }
    nlohmann::ordered_json object;
    if (dynamic_cast<const CLI::CallForVersion*>(&asked) != nullptr)
    {
        const auto versions = VersionsOfBuild();
        object["geotrain_version"] = versions.geotrain;
        object["git_commit"] = versions.commit;
        object["ns3_version"] = versions.ns3;
    }
    else
    {
        object["help"] = text.str();
    }
    PrintToStdout(object.dump(2) + "\n");
    return {};
}

/// Parses the arguments, which chooses the verb's action. Returns nullopt where it shall run.
std::optional<WorkOutcome>
ParseArguments(CLI::App& app, int argc, char** argv, bool json)
{
    try
    {
        app.parse(argc, argv);
    }
    catch (const CLI::ParseError& error)
    {
        if (error.get_exit_code() == 0)
        {
            return PrintAnswer(app, error, json);
        }
        return WorkOutcome{exitInput, MessageOf(app, error)};
    }
    return std::nullopt;
}

/// Returns `code`, or that of an error where stdout could not take what was printed.
int
CodeAfterOutput(int code)
{
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
    {
        return code;
    }
    const auto why = std::generic_category().message(stdoutError != 0 ? stdoutError : errno);
    PrintToStderr("geotrain: stdout cannot be written ({})\n", why);
    return code == exitDone ? exitInput : code;
}

void
AddVerbs(CLI::App& app, VerbList& verbs)
{
    AddRunVerb(verbs);
    AddCompareVerb(verbs);
    AddPlanVerb(verbs);
    AddFiguresVerb(verbs);
    AddExportVerb(verbs);
    AddCheckVerb(verbs);
    AddTransferVerb(verbs);
    AddScheduleVerb(verbs);
    AddTimingVerb(verbs);
    AddFitGpuVerb(verbs);
    AddImportVerb(verbs);
    AddLearnVerb(verbs);
    AddLiveVerb(verbs);
    AddListVerb(verbs);
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
            PrintToStdout(fmt::format("{}", fmt::join(Completions(app, rest), "\n")));
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

/// Opens what a caller has closed of stdin, stdout and stderr, since a result's file would take its
/// place otherwise, and get what is printed. Writing to stdout fails as before.
void
OpenStandardFiles()
{
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    {
        if (fcntl(file, F_GETFD) < 0) // then the lowest number that is free is this one
        {
            open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

} // namespace

int
RunProgram(int argc, char** argv, const std::string& commit)
{
    OpenStandardFiles();
    SetBuildCommit(commit);
    std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit of a file's size fails with a reason
    const bool json = std::any_of(
        argv, argv + argc, [](const char* word) { return word == std::string("--json"); });
    CLI::App app{"What wide-area networks do to the training of language models, packet by packet",
                 "geotrain"};
    VerbList verbs{app, CommandLine(argc, argv)};
    AddVerbs(app, verbs);
    if (const auto request = ShellRequest(app, argc, argv))
    {
        return CodeAfterOutput(ExitCodeOf(request));
    }
    if (const auto ended = ParseArguments(app, argc, argv, json))
    {
        return CodeAfterOutput(ReportError(*ended, json));
    }
    ExitOnTerminate(
        [json] {
            ReportError({exitInternal, json ? "an internal check failed; stderr says which" : ""},
                        json);
        });
    return CodeAfterOutput(ReportError(OutcomeOf(verbs.action), json));
}

} // namespace geotrain
