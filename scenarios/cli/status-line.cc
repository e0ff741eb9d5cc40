// SPDX-License-Identifier: GPL-2.0-only
#include "cli/status-line.h"

#include "cli/terminal-width.h"
#include "units/utf8.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

/// Work that ends before writes nothing into a log file.
constexpr double secondsBeforeLog = 10;

} // namespace

StatusLine::StatusLine(bool quiet)
    : m_quiet(quiet),
      m_isTerminal(isatty(STDERR_FILENO) != 0),
      m_start(WallClock::now()),
      m_drawn(m_start)
{
}

StatusLine::~StatusLine()
{
    if (m_shown)
    {
        std::fputs("\r\033[K", stderr);
    }
}

void
StatusLine::Show(const std::string& what)
{
    if (!m_quiet && m_isTerminal)
    {
        Write(what);
    }
}

void
StatusLine::Show(double share, const std::string& what)
{
    m_share = share;
    m_what = what;
    Draw();
}

void
StatusLine::Tell(const std::string& doing)
{
    m_doing = doing;
    Draw();
}

void
StatusLine::Draw()
{
    const auto now = WallClock::now();
    if (m_quiet || now - m_drawn < std::chrono::milliseconds(200))
    {
        return;
    }
    m_drawn = now;
    const double elapsed = std::chrono::duration<double>(now - m_start).count();
    std::string line = fmt::format("{}: {:.0f} %", m_what, m_share * 100);
    if (m_share > 0.01)
    {
        const auto seconds = static_cast<long>(std::ceil(elapsed * (1 - m_share) / m_share));
        line += fmt::format(", about {}:{:02} left", seconds / 60, seconds % 60);
    }
    if (m_isTerminal)
    {
        Write(line + (m_doing.empty() ? "" : "; ") + m_doing);
        return;
    }
    const int tenths = static_cast<int>(m_share * 10);
    if (tenths > m_tenths && elapsed >= secondsBeforeLog)
    {
        m_tenths = tenths;
        std::fputs((line + "\n").c_str(), stderr);
    }
}

void
StatusLine::Write(const std::string& line)
{
    m_shown = true;
    const auto shown =
        "\r\033[K" + std::string(TakeBytes(line, TerminalColumns(STDERR_FILENO) - 1));
    std::fputs(shown.c_str(), stderr);
    std::fflush(stderr);
}

} // namespace geotrain
