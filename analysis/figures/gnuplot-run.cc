// SPDX-License-Identifier: GPL-2.0-only
#include "figures/gnuplot-run.h"

#include "trace/trace-error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

/// Returns the first line of a file that is not empty.
std::string
FirstLineOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line) && line.find_first_not_of(" \t\r^") == std::string::npos)
    {
    }
    return line;
}

/// Returns this program's environment in UTC: the length of a PDF's date depends on the time zone.
std::vector<std::string>
EnvironmentInUtc()
{
    std::vector<std::string> variables{"TZ=UTC0"};
    for (char** variable = environ; *variable; ++variable)
    {
        if (std::string_view(*variable).substr(0, 3) != "TZ=")
        {
            variables.emplace_back(*variable);
        }
    }
    return variables;
}

/// Returns pointers to the texts and a null pointer, as posix_spawn() takes them.
std::vector<char*>
PointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (std::string& text : texts)
    {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

void
RunGnuplot(const std::string& commands,
           const std::filesystem::path& script,
           const std::filesystem::path& log)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(
        &actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    std::vector<std::string> arguments{
        "gnuplot", "--default-settings", "-e", commands, script.string()};
    auto variables = EnvironmentInUtc();
    pid_t child = 0;
    const int failure = posix_spawnp(&child,
                                     arguments.front().c_str(),
                                     &actions,
                                     nullptr,
                                     PointersTo(arguments).data(),
                                     PointersTo(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
    {
        throw TraceError(arguments.front(),
                         std::string("must be installed (") + std::strerror(failure) + ")");
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    {
        const std::string message = FirstLineOf(log);
        throw TraceError(arguments.front(),
                         message.empty() ? "failed on " + script.string() : message);
    }
}

} // namespace geotrain
