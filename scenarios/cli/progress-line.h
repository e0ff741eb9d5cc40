// SPDX-License-Identifier: GPL-2.0-only
// One line on stderr that says how far a run is and how long it will still take; only on a
// terminal.
#pragma once

#include <chrono>
#include <string>

namespace geotrain
{

class ProgressLine
{
  public:
    explicit ProgressLine(bool quiet);

    /// Removes the line.
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// `share` of the work is done, in [0, 1]; `what` goes before it. Draws at most five times a
    /// second.
    void Show(double share, const std::string& what);

  private:
    using WallClock = std::chrono::steady_clock;

    bool m_enabled;
    bool m_shown = false;
    WallClock::time_point m_start;
    WallClock::time_point m_drawn;
};

} // namespace geotrain
