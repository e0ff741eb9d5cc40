// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-watch.h"

#include "runner/exit-codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace geotrain
{

namespace
{

constexpr std::chrono::milliseconds reportInterval(200);

/// From a signal or a deadline to the end of a loop that looks at neither.
constexpr int patienceSeconds = 3;
/// A second signal that comes this soon is the first one's: timeout(1) signals a program and its group.
constexpr std::chrono::milliseconds oneSignal(500);

volatile std::sig_atomic_t interrupted = 0;
std::chrono::steady_clock::time_point interruptedAt; ///< set before `interrupted`
volatile std::sig_atomic_t isNoticed = 0; ///< somebody knows, and ends what goes on

constexpr std::string_view interruption =
    "interrupted in the middle of a step: the results so far are not complete\n";
constexpr std::string_view lateness =
    "the simulation did not finish by its wall-clock deadline, and "
    "was ended in the middle of a step\n";

/// Is called some time after a signal or a deadline. It may call only what signal-safety(7) lists.
void
OnPatienceEnd(int /*signal*/)
{
    if (isNoticed == 0)
    {
        const auto text = interrupted != 0 ? interruption : lateness;
        static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
        _exit(exitUnfinished);
    }
}

void
OnInterrupt(int signal)
{
    const auto now = std::chrono::steady_clock::now(); // clock_gettime(2), which is signal-safe
    if (interrupted != 0 && now - interruptedAt > oneSignal)
    {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    else if (interrupted == 0)
    {
        interruptedAt = now;
        interrupted = 1;
        alarm(patienceSeconds);
    }
}

void
CatchAlarm()
{
    struct sigaction action = {};
    action.sa_handler = OnPatienceEnd;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
}

/// Lets OnPatienceEnd() be called after `time`; never for none.
void
SetPatience(std::chrono::microseconds time)
{
    const auto us = time.count();
    const itimerval once{{}, {us / 1000000, us % 1000000}};
    setitimer(ITIMER_REAL, &once, nullptr);
}

} // namespace

void
CatchInterrupts()
{
    CatchAlarm();
    struct sigaction action = {};
    action.sa_handler = OnInterrupt;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool
WasInterrupted()
{
    isNoticed = isNoticed != 0 || interrupted != 0 ? 1 : 0;
    return interrupted != 0;
}

EarlyEnd::EarlyEnd(const RunSettings& run, StatusCallback status, std::string deadlineOption)
    : m_deadline(run.deadline),
      m_wallDeadline(run.wallDeadline),
      m_status(std::move(status)),
      m_deadlineOption(std::move(deadlineOption)),
      m_start(WallClock::now()),
      m_reported(m_start)
{
    isNoticed = 0;
    if (m_wallDeadline)
    {
        CatchAlarm();
        SetPatience(std::chrono::microseconds(m_wallDeadline->ToNanoseconds() / 1000) +
                    std::chrono::seconds(patienceSeconds));
    }
}

EarlyEnd::~EarlyEnd()
{
    if (m_wallDeadline && interrupted == 0)
    {
        SetPatience({});
    }
}

Instant
EarlyEnd::Deadline() const
{
    return Instant() + m_deadline;
}

bool
EarlyEnd::HasCome(const std::function<std::string()>& doing)
{
    const auto now = WallClock::now();
    if (m_status && now - m_reported >= reportInterval)
    {
        m_reported = now;
        m_status(doing());
    }
    m_isPastWallDeadline =
        m_isPastWallDeadline ||
        (m_wallDeadline &&
         now - m_start >= std::chrono::nanoseconds(m_wallDeadline->ToNanoseconds()));
    return IsCome();
}

bool
EarlyEnd::IsCome() const
{
    isNoticed = isNoticed != 0 || m_isPastWallDeadline ? 1 : 0;
    return WasInterrupted() || m_isPastWallDeadline;
}

std::string
EarlyEnd::Why(Instant end) const
{
    if (WasInterrupted())
    {
        return "interrupted";
    }
    if (m_isPastWallDeadline)
    {
        return fmt::format("the simulation did not finish by its wall-clock deadline of {:g} s "
                           "(--wall-deadline TIME sets another)",
                           m_wallDeadline->ToSeconds());
    }
    return end < Deadline() ? "the simulation did not finish"
                            : fmt::format("the simulation did not finish by its deadline of {:g} s "
                                          "({} sets another)",
                                          m_deadline.ToSeconds(),
                                          m_deadlineOption);
}

} // namespace geotrain
