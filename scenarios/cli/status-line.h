// SPDX-License-Identifier: GPL-2.0-only
// Shows a line on stderr that says what a verb does, how far it is and how long it will still take.
// Where stderr is no terminal, such as a log file, it is a line per tenth of the work, and none in
// the first ten seconds.
#pragma once

#include <chrono>
#include <string>

namespace geotrain
{

/// StatusLine is the only such line at a time.
class StatusLine
{
  public:
    /// With `quiet` nothing is shown.
    explicit StatusLine(bool quiet);

    /// Removes the line. What is printed later begins on a line of its own.
    ~StatusLine();

    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    /// Shows what is done from now on, while nothing is known of how far it is.
    void Show(const std::string& what);

    /// Shows `what` and the share of the work that is done, in [0, 1]. It draws at most five times
    /// per second.
    void Show(double share, const std::string& what);

    /// Shows behind it what is being done at the moment, as far as the terminal is wide.
    void Tell(const std::string& doing);

  private:
    using WallClock = std::chrono::steady_clock;

    void Draw();
    void Write(const std::string& line);

    bool m_quiet;
    bool m_isTerminal;
    bool m_shown = false;
    int m_tenths = 0; ///< that were written
    double m_share = 0;
    std::string m_what;
    std::string m_doing;
    WallClock::time_point m_start;
    WallClock::time_point m_drawn;
};

} // namespace geotrain
