// SPDX-License-Identifier: GPL-2.0-only
// Watches the progress of a run, and whether it is to end early: because the user pressed Ctrl-C,
// or because run.wall_deadline has come. Results don't depend on it.
#pragma once

#include "loader/run-settings.h"
#include "units/duration.h"

#include <chrono>
#include <functional>
#include <string>

namespace geotrain
{

/// A ProgressCallback is called from time to time with the share of the computations that is done,
/// in [0, 1].
using ProgressCallback = std::function<void(double share)>;

/// A StatusCallback is called some five times per second with what a run does at the moment.
using StatusCallback = std::function<void(const std::string& doing)>;

/// Makes the first SIGINT or SIGTERM end the run early, and one half a second later or more kill the
/// program. Where nothing asks WasInterrupted() or EarlyEnd for three seconds after the first, the
/// program ends in the middle of what it does, with exitUnfinished.
void CatchInterrupts();

/// Returns whether such a signal arrived.
bool WasInterrupted();

/// EarlyEnd says whether a run is to end early, and why it ended. It also paces status reports.
class EarlyEnd
{
  public:
    /// Takes the two deadlines of `run`; the wall-clock one counts from now on, and holds while this
    /// lives: what does not ask by three seconds after it is ended as after an interrupt.
    /// `deadlineOption` is the option that sets the other one, for Why().
    EarlyEnd(const RunSettings& run,
             StatusCallback status,
             std::string deadlineOption = "--set run.deadline=TIME");

    ~EarlyEnd();
    EarlyEnd(const EarlyEnd&) = delete;
    EarlyEnd& operator=(const EarlyEnd&) = delete;

    /// Returns the simulated time at which the run is to end.
    Instant Deadline() const;

    /// Returns whether the run is to end now. Where a report is due, calls the status callback with
    /// what `doing` returns.
    bool HasCome(const std::function<std::string()>& doing);

    /// Returns whether HasCome() was true.
    bool IsCome() const;

    /// Says why a run ended at `end` with work undone: it was interrupted, or reached a deadline, or
    /// nothing moved any more.
    std::string Why(Instant end) const;

  private:
    using WallClock = std::chrono::steady_clock;

    Duration m_deadline;
    std::optional<Duration> m_wallDeadline;
    StatusCallback m_status;
    std::string m_deadlineOption;
    WallClock::time_point m_start;
    WallClock::time_point m_reported;
    bool m_isPastWallDeadline = false;
};

} // namespace geotrain
