// SPDX-License-Identifier: GPL-2.0-only
// Runs a command with a pseudo-terminal as its input, output and error, and tells what a person
// would see on it. It knows the two controls that a progress line uses: carriage return, and erase
// to the end of the line.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

/// Runs a shell command on a terminal of 80 columns, and returns all that it wrote.
inline std::string
WrittenToTerminal(const std::string& command)
{
    winsize size{};
    size.ws_row = 50;
    size.ws_col = 80;
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0)
    {
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(127);
    }
    std::string written;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(terminal, buffer, sizeof(buffer))) > 0;)
    {
        written.append(buffer, static_cast<std::size_t>(count));
    }
    waitpid(child, nullptr, 0);
    close(terminal);
    return written;
}

/// Returns the lines that are left on the screen after `written`.
inline std::vector<std::string>
ScreenLines(const std::string& written)
{
    const std::string erase = "\033[K";
    std::vector<std::string> lines(1);
    std::size_t column = 0;
    for (std::size_t i = 0; i < written.size(); ++i)
    {
        auto& line = lines.back();
        if (written.compare(i, erase.size(), erase) == 0)
        {
            line.resize(column);
            i += erase.size() - 1;
        }
        else if (written[i] == '\r')
        {
            column = 0;
        }
        else if (written[i] == '\n')
        {
            lines.emplace_back();
            column = 0;
        }
        else
        {
            line.resize(std::max(line.size(), column + 1), ' ');
            line[column++] = written[i];
        }
    }
    return lines;
}

} // namespace geotrain
