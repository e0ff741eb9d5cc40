// SPDX-License-Identifier: GPL-2.0-only
#include "execution/run-ahead.h"

#include <map>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns by position whether the instruction is the last backward, or weight gradient, of its
/// microbatch in its stage.
std::vector<bool>
ReleasesOf(const InstructionStream& stream)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> lastOf;
    for (std::size_t position = 0; position < stream.size(); ++position)
    {
        const Instruction& in = stream[position];
        if (in.kind == InstructionKind::Backward || in.kind == InstructionKind::WeightGradient)
        {
            lastOf[{in.stage, in.microbatch}] = position;
        }
    }
    std::vector<bool> releases(stream.size());
    for (const auto& [microbatch, position] : lastOf)
    {
        releases[position] = true;
    }
    return releases;
}

} // namespace

RunAhead::RunAhead(const InstructionStream& stream, std::uint32_t activationCap, const Inbox& inbox)
    : m_stream(stream),
      m_activationCap(activationCap),
      m_inbox(inbox),
      m_releases(ReleasesOf(stream))
{
    BeginPass();
}

void
RunAhead::BeginPass()
{
    m_done.assign(m_stream.size(), false);
    m_activations = 0;
    m_firstCompute.reset();
    m_ready.clear();
    for (std::size_t position = 0; position < m_stream.size(); ++position)
    {
        if (IsForwardReady(position))
        {
            m_ready.insert(position);
        }
    }
}

bool
RunAhead::IsDone(std::size_t position) const
{
    return m_done[position];
}

bool
RunAhead::Is(std::size_t position, InstructionKind kind) const
{
    return position < m_stream.size() && m_stream[position].kind == kind;
}

bool
RunAhead::IsActivationsReceive(std::size_t position) const
{
    return Is(position, InstructionKind::Receive) &&
           m_stream[position].payload == Payload::Activation;
}

/// Returns whether a forward is at `position` that has its input in this pass.
bool
RunAhead::IsForwardReady(std::size_t position) const
{
    const bool hasInput = position > 0 && IsActivationsReceive(position - 1);
    return Is(position, InstructionKind::Forward) && (!hasInput || m_inbox.IsHere(position - 1));
}

bool
RunAhead::FollowsRecompute(std::size_t receive) const
{
    while (receive > 0 && Is(receive - 1, InstructionKind::Bubble))
    {
        --receive;
    }
    return receive > 0 && Is(receive - 1, InstructionKind::Recompute);
}

/// Returns whether the worker is about to recompute, or to wait for an input that should be here.
bool
RunAhead::IsGradientLate(std::size_t position, Instant now) const
{
    const Instruction& in = m_stream[position];
    if (in.kind == InstructionKind::Receive)
    {
        return !FollowsRecompute(position) && !m_inbox.IsHere(position);
    }
    std::size_t receive = position + 1;
    while (Is(receive, InstructionKind::Bubble))
    {
        ++receive;
    }
    return in.kind == InstructionKind::Recompute && m_firstCompute &&
           Is(receive, InstructionKind::Receive) && !m_inbox.IsHere(receive) &&
           now > *m_firstCompute + in.expected;
}

std::optional<std::size_t>
RunAhead::Instead(std::size_t position, Instant now)
{
    if (!IsGradientLate(position, now) || m_activations >= m_activationCap)
    {
        return std::nullopt;
    }
    const auto next = m_ready.upper_bound(position);
    if (next == m_ready.end())
    {
        return std::nullopt;
    }
    const std::size_t forward = *next;
    m_done[forward] = true;
    m_done[forward - 1] = m_done[forward - 1] || IsActivationsReceive(forward - 1);
    return forward;
}

void
RunAhead::InputArrived(std::size_t receive)
{
    if (IsForwardReady(receive + 1))
    {
        m_ready.insert(receive + 1);
    }
}

void
RunAhead::ComputeBegan(std::size_t position, Instant now)
{
    m_firstCompute = m_firstCompute.value_or(now);
    m_activations += Is(position, InstructionKind::Forward) ? 1 : 0;
    m_ready.erase(position);
}

/// Returns the Send of a forward that ran ahead, which leaves at once.
std::optional<std::size_t>
RunAhead::ComputeEnded(std::size_t position)
{
    m_activations -= m_releases[position] ? 1 : 0;
    const std::size_t next = position + 1;
    if (!m_done[position] || !Is(next, InstructionKind::Send))
    {
        return std::nullopt;
    }
    m_done[next] = true;
    return next;
}

} // namespace geotrain
