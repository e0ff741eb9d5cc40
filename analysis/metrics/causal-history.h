// SPDX-License-Identifier: GPL-2.0-only
// Tells what a worker waited for: it goes back in time from an instant, along what caused it. Work
// was preceded by the worker's work before it, or by the message or collective that ended its wait;
// a message by its sender's work; a collective by the work of the member that joined last. Every
// instant on the way back belongs to exactly one step. Idle time by cause and the critical path
// both come from here. Which message ended a wait is told by the times alone, so that a wait that a
// filler prolonged has a step of its own.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// CauseKind says in what way time passes in a step.
enum class CauseKind : std::uint8_t
{
    Compute,          ///< a worker computes
    WanTurn,          ///< a message over the WAN waits for its turn
    WanSerialisation, ///< its bytes cross at the path's rate
    WanWindow,        ///< they cross more slowly, at the rate of the windows
    WanCongestion,    ///< queues, other messages, small windows and retransmission
    WanPropagation,   ///< its last byte is on the way
    Local,            ///< a message inside a data centre is on its way
    Collective,       ///< a collective that all members have joined runs
    Other             ///< a filler holds training back, or the trace says nothing
};

/// A CausalStep is one part of the way back.
struct CausalStep
{
    CauseKind kind = CauseKind::Other;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t worker = 0;                          ///< that computes, receives or takes part
    const trace::GpuSpan* work = nullptr;              ///< set for Compute
    const trace::MessageSpan* message = nullptr;       ///< set for messages
    const trace::CollectiveSpan* collective = nullptr; ///< set for Collective
};

/// A CausalPosition is a point on the way back: a worker at a time. The worker's spans before
/// `nextSpan` have ended by then.
struct CausalPosition
{
    std::uint32_t worker = 0;
    std::size_t nextSpan = 0;
    std::int64_t atNs = 0;
};

/// CausalHistory knows the work, messages and collectives of one trace.
class CausalHistory
{
  public:
    /// `spans` are the spans by worker, each in order of time without overlap. All arguments must
    /// outlive this.
    CausalHistory(const std::vector<std::vector<trace::GpuSpan>>& spans,
                  const std::vector<trace::MessageSpan>& messages,
                  const std::vector<trace::CollectiveSpan>& collectives);

    /// Returns the steps from `from` back to `untilNs`, in order of time. They follow each other
    /// without a gap.
    std::vector<CausalStep> Before(CausalPosition from, std::int64_t untilNs) const;

    /// Returns the position of the work that ends last of all that ends by `ns`.
    CausalPosition LatestUntil(std::int64_t ns) const;

    /// Returns whether the messages over the WAN say what their time went to. Those of older traces
    /// don't.
    bool KnowsPartsOfWan() const;

    /// Returns the work of a worker.
    const std::vector<trace::GpuSpan>& SpansOf(std::uint32_t worker) const;

  private:
    /// A Join is one worker's share of a collective.
    struct Join
    {
        const trace::CollectiveSpan* span = nullptr;
        std::size_t round = 0; ///< collective, as index into m_rounds
    };

    /// A Round is one collective of its members. Its latest member begins it: `latest` is the
    /// number of that member's join, and `latestWaits` says that the member's collective before it
    /// had to end first.
    struct Round
    {
        std::int64_t startNs = 0;
        std::uint32_t latest = 0;
        std::size_t before = 0;
        bool latestWaits = false;
        bool hasMember = false;
    };

    class Walk;

    void SortMessages();
    void NumberRounds();
    CausalPosition At(std::uint32_t worker, std::int64_t ns) const;
    const trace::MessageSpan* MessageThatEnded(const CausalPosition& gap,
                                               std::int64_t sinceNs) const;
    static std::size_t LastOfLane(const std::vector<Join>& joins, trace::CollectiveKind kind);
    const Join* CollectiveThatEnded(const CausalPosition& gap, std::int64_t sinceNs) const;

    const std::vector<std::vector<trace::GpuSpan>>& m_spans;
    const std::vector<trace::MessageSpan>& m_messages;
    const std::vector<trace::CollectiveSpan>& m_collectives;
    std::vector<std::vector<const trace::MessageSpan*>> m_arrivals; ///< by receiver, in order
    std::vector<std::vector<Join>> m_joins; ///< by worker, in the order of their ends
    std::vector<Round> m_rounds;
    std::size_t m_mostSteps = 0; ///< no way back is longer, unless the trace contradicts itself
};

} // namespace geotrain
