// SPDX-License-Identifier: GPL-2.0-only
#include "cli/waiting-line.h"

#include "cli/terminal-width.h"
#include "runner/stderr-text.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace geotrain
{

WaitingLine::WaitingLine(bool quiet)
{
    if (!quiet && isatty(STDERR_FILENO) != 0)
    {
        m_drawer = std::thread([this] { DrawUntilEnd(); });
    }
}

WaitingLine::~WaitingLine()
{
    if (!m_drawer.joinable())
    {
        return;
    }
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_isOver = true;
    }
    m_changed.notify_one();
    m_drawer.join();
}

void
WaitingLine::Show(const std::string& what)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_what = what;
    m_interrupt.Show(what);
}

/// Draws the line every half second, so that it never appears for what takes less.
void
WaitingLine::DrawUntilEnd()
{
    const auto start = std::chrono::steady_clock::now();
    bool isShown = false;
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!m_changed.wait_for(lock, std::chrono::milliseconds(500), [this] { return m_isOver; }))
    {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        const auto line = fmt::format("{}, {:.0f} s so far", m_what, passed.count());
        PrintToStderr("\r\033[K{}", CutText(line, TerminalColumns(STDERR_FILENO) - 1));
        std::fflush(stderr);
        isShown = true;
    }
    if (isShown)
    {
        PrintToStderr("\r\033[K");
    }
}

} // namespace geotrain
