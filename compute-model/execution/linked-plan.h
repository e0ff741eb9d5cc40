// SPDX-License-Identifier: GPL-2.0-only
// A plan that was checked and linked: every Send knows its Receive, and every collective its number
// and members. It is a function of the plan alone and holds no state of a run.
#pragma once

#include "execution/collectives.h"
#include "execution/execution-plan.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace geotrain
{

/// A LinkedPlan is a legal plan with its messages and collectives matched.
class LinkedPlan
{
  public:
    /// Throws std::invalid_argument if the plan is not legal: a Send without its Receive or the
    /// reverse, a message that is received twice, a group that a worker is not in, members that
    /// join different collectives. `plan` must outlive this and not change.
    explicit LinkedPlan(const ExecutionPlan& plan);

    const ExecutionPlan& Plan() const;
    const InstructionStream& StreamOf(WorkerIndex worker) const;

    /// Returns the iterations per pass over the streams: several where these hold all of a run
    /// without flush.
    std::uint32_t IterationsPerPass() const;

    /// Returns the iterations of the whole run.
    std::uint32_t Iterations() const;

    /// Returns the iteration of the whole run for an instruction in pass `pass`, from 0.
    std::uint32_t IterationOf(std::uint32_t pass, const Instruction& instruction) const;

    /// Returns the position that an instruction has in the stream without its Bubbles.
    std::size_t PlannedPosition(WorkerIndex worker, std::size_t position) const;

    /// Returns the position of the message's Receive in the receiver's stream. `send` is the
    /// position of its Send.
    std::size_t ReceiveOf(WorkerIndex sender, std::size_t send) const;

    /// Returns the collective that the worker joins at `position` of pass `pass`, from 0.
    CollectiveRequest
    CollectiveAt(WorkerIndex worker, std::size_t position, std::uint32_t pass) const;

    /// Returns the worker's index among the members of that collective.
    std::uint32_t MemberAt(WorkerIndex worker, std::size_t position) const;

  private:
    void PairSendsWithReceives();
    void NumberCollectives();

    const ExecutionPlan& m_plan;
    std::uint32_t m_iterationsPerPass = 1;
    std::vector<std::vector<std::size_t>> m_bubbles; ///< positions of Bubbles by worker, ascending
    std::vector<std::vector<std::uint32_t>> m_receiveOfSend; ///< [worker][position of the Send]
    /// Number of a collective among those of its group: [worker][position].
    std::vector<std::vector<std::uint32_t>> m_ordinalOfCollective;
    std::uint32_t m_collectivesPerGroup = 0; ///< most collectives of a group per pass
};

} // namespace geotrain
