// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace geotrain
{

namespace
{

constexpr std::chrono::milliseconds reportInterval(200);

volatile std::sig_atomic_t interrupted = 0;

void
OnInterrupt(int /*signal*/)
{
    interrupted = 1;
}

} // namespace

void
CatchInterrupts()
{
    struct sigaction action = {};
    action.sa_handler = OnInterrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool
WasInterrupted()
{
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
