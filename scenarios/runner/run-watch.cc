// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-watch.h"

#include <fmt/format.h>

#include <csignal>
#include <utility>

namespace geotrain
{

namespace
{

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

std::string
WhyUnfinished(Instant end, Duration deadline)
{
    if (WasInterrupted())
    {
        return "interrupted";
    }
    return end < Instant() + deadline
               ? "the simulation did not finish"
               : fmt::format("the simulation did not finish by its deadline of {:g} s "
                             "(--set run.deadline=TIME sets another)",
                             deadline.ToSeconds());
}

RunWatch::RunWatch(std::uint64_t computations, ProgressCallback progress)
    : m_computations(computations),
      m_progress(std::move(progress))
{
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
