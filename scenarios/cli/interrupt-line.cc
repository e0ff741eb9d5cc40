// SPDX-License-Identifier: GPL-2.0-only
// The handler may run at any time and on any thread. So it only writes texts that are complete, and
// calls nothing that signal-safety(7) does not list.
#include "cli/interrupt-line.h"

#include <atomic>
#include <cstring>
#include <deque>
#include <unistd.h>

namespace geotrain
{

namespace
{

std::atomic<const char*> shownLine{nullptr};
std::atomic<const char*> discardedInfo{nullptr};
std::atomic<const char*> discardedFolder{nullptr};

/// Keeps a text for the rest of the process, and returns it.
const char*
Kept(const std::string& text)
{
    static std::deque<std::string> texts;
    return texts.emplace_back(text).c_str();
}

void
OnSignal(int signal)
{
    if (const char* folder = discardedFolder)
    {
        unlink(discardedInfo);
        rmdir(folder);
    }
    if (const char* line = shownLine)
    {
        [[maybe_unused]] const auto written = write(STDERR_FILENO, line, std::strlen(line));
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

} // namespace

InterruptLine::InterruptLine()
{
    struct sigaction action = {};
    action.sa_handler = OnSignal;
    sigaction(SIGINT, &action, &m_interrupt);
    sigaction(SIGTERM, &action, &m_terminate);
}

InterruptLine::~InterruptLine()
{
    sigaction(SIGINT, &m_interrupt, nullptr);
    sigaction(SIGTERM, &m_terminate, nullptr);
    shownLine = nullptr;
    discardedFolder = nullptr;
}

void
InterruptLine::Show(const std::string& what)
{
    const std::string erase = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
    shownLine = Kept(erase + "interrupted while " + what + "; nothing was written\n");
}

void
InterruptLine::Discard(const std::filesystem::path& folder)
{
    discardedInfo = Kept((folder / "run-info.json").string());
    discardedFolder = Kept(folder.string());
}

} // namespace geotrain
