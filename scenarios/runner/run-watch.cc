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

RunWatch::RunWatch(PlanRun& run,
                   EarlyEnd& early,
                   std::uint64_t computations,
                   ProgressCallback progress)
    : m_run(run),
      m_clock(run.Layer().GetClock()),
      m_computations(computations),
      m_progress(std::move(progress))
{
    m_clock.SetWatch([this, &early] { return early.HasCome([this] { return Doing(); }); });
}

RunWatch::~RunWatch()
{
    m_clock.SetWatch({});
}

/// Names the first worker that waits, and counts the others.
std::string
RunWatch::Doing() const
{
    const auto waits = m_run.WhoWaitsForWhat();
    const double seconds = m_clock.Now().ToSeconds();
    if (waits.empty())
    {
        return fmt::format("connections are warmed, {:.3f} s simulated", seconds);
    }
    const auto others = std::count(waits.begin(), waits.end(), '\n') - 1;
    return fmt::format("{:.3f} s simulated, {} messages under way, {}{}",
                       seconds,
                       m_run.Layer().MessagesUnderWay(),
                       waits.substr(0, waits.find('\n')),
                       others > 0 ? fmt::format(" (and {} more)", others) : "");
}

void
RunWatch::InstructionEnded(WorkerIndex /*worker*/,
                           std::uint32_t /*iteration*/,
                           const Instruction& instruction,
                           Instant /*start*/,
                           Instant /*end*/)
{
    if (IsCompute(instruction.kind) && m_progress)
    {
        ++m_done;
        m_progress(static_cast<double>(m_done) / static_cast<double>(m_computations));
    }
}

} // namespace geotrain
