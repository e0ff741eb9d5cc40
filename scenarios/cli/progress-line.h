// SPDX-License-Identifier: GPL-2.0-only
// Shows a line on stderr that says how far a run is and how long it will still take. It shows
// nothing where stderr is no terminal.
#pragma once

#include <chrono>
#include <string>

namespace geotrain
{

/// ProgressLine is the line of one verb.
class ProgressLine
{
  public:
    /// With `quiet` nothing is shown.
    explicit ProgressLine(bool quiet);

    /// Removes the line. What is printed later begins on a line of its own.
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Shows `what` and the share of the work that is done, in [0, 1]. It draws at most five times
    /// per second.
    void Show(double share, const std::string& what);

    /// Shows behind it what is being done at the moment, as far as the terminal is wide.
    void Tell(const std::string& doing);

  private:
    using WallClock = std::chrono::steady_clock;

    void Draw();

    bool m_enabled;
    bool m_shown = false;
    double m_share = 0;
    std::string m_what;
    std::string m_doing;
    WallClock::time_point m_start;
    WallClock::time_point m_drawn;
};

} // namespace geotrain
