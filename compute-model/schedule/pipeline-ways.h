// SPDX-License-Identifier: GPL-2.0-only
// Carries the messages of a timeline between the workers of its pipelines: over the way between the
// two, through what their nodes may send and receive, and over WAN links that several hops cross.
#pragma once

#include "schedule/message-way.h"
#include "schedule/schedule-order.h"

#include <vector>

namespace geotrain
{

/// A PipelineMessage is an activation, of a Forward, or a gradient, of a Backward, that is ready to be
/// sent.
struct PipelineMessage
{
    std::int64_t at = 0; ///< ns
    std::uint32_t pipeline = 0;
    std::uint32_t stage = 0; ///< of the sender
    std::uint32_t microbatch = 0;
    Operation::Kind kind = Operation::Kind::Forward;

    /// Returns whether it is ready later, ties by pipeline, stage and microbatch.
    bool operator>(const PipelineMessage& other) const;
};

/// PipelineWays are all ways of the pipelines of a DP-cell.
class PipelineWays
{
  public:
    /// Throws std::invalid_argument where the order has stages without a worker.
    PipelineWays(const ScheduleOrder& order, const ScheduleTimes& times, std::uint32_t pipelines);

    /// Returns whether messages of a pipeline share more than the way between two workers, so that
    /// they must be carried in the order of their times.
    bool AreShared() const;

    /// Carries a message, which waits until the one before it, from its worker to the same other
    /// one, has left the way, until its worker's and its receiver's nodes have room for it, and until
    /// those of other hops have left the WAN links. Returns when it arrives, in ns.
    std::int64_t Carry(const PipelineMessage& message);

    /// Returns the receiving worker, counted through the pipelines.
    std::uint32_t ReceiverOf(const PipelineMessage& message) const;

  private:
    void AddLinks(const std::vector<SharedLink>& links);

    std::uint32_t m_perPipeline; ///< workers of a pipeline
    std::vector<StageHome> m_homes;
    std::vector<Hop> m_hops; ///< by the lower stage
    /// From each worker to the next one, by pipeline; turns are taken on pipeline 0's.
    std::vector<MessageWay> m_down;
    std::vector<MessageWay> m_up;         ///< likewise, to each worker from the next one
    std::vector<std::int64_t> m_sends;    ///< ns, until when a worker's nodes send
    std::vector<std::int64_t> m_receives; ///< ns, until when a worker's nodes receive
    std::vector<std::int64_t> m_links;    ///< ns, until when a WAN link that hops share is taken
    bool m_areShared = false;
};

} // namespace geotrain
