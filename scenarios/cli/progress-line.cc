// SPDX-License-Identifier: GPL-2.0-only
#include "cli/progress-line.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace geotrain
{

ProgressLine::ProgressLine(bool quiet)
    : m_enabled(!quiet && isatty(STDERR_FILENO) != 0),
      m_start(WallClock::now()),
      m_drawn(m_start)
{
}

ProgressLine::~ProgressLine()
{
    if (m_shown)
    {
        fmt::print(stderr, "\r\033[K");
    }
}

void
ProgressLine::Show(double share, const std::string& what)
{
    const auto now = WallClock::now();
    if (!m_enabled || now - m_drawn < std::chrono::milliseconds(200))
    {
        return;
    }
    m_drawn = now;
    m_shown = true;
    const double elapsed = std::chrono::duration<double>(now - m_start).count();
    std::string left;
    if (share > 0.01)
    {
        const auto seconds = static_cast<long>(std::ceil(elapsed * (1 - share) / share));
        left = fmt::format(", about {}:{:02} left", seconds / 60, seconds % 60);
    }
    fmt::print(stderr, "\r\033[K{}: {:.0f} %{}", what, share * 100, left);
    std::fflush(stderr);
}

} // namespace geotrain
