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

class LinkedPlan
{
  public:
    /// Throws std::invalid_argument if the plan is not legal: a Send without its Receive or the
    /// reverse, a message that is received twice, a group that a worker is not in, members that
    /// join different collectives. `plan` must outlive this and not change.
    explicit LinkedPlan(const ExecutionPlan& plan);

    const ExecutionPlan& Plan() const;
    const InstructionStream& StreamOf(WorkerIndex worker) const;

    /// Iterations in one pass over the streams: several where they hold all of a run without flush.
    std::uint32_t IterationsPerPass() const;

    /// Iterations of the whole run.
    std::uint32_t Iterations() const;

    /// Of the whole run: of an instruction in the `pass`-th pass, from 0.
    std::uint32_t IterationOf(std::uint32_t pass, const Instruction& instruction) const;

    /// Position in the stream without its Bubbles.
    std::size_t PlannedPosition(WorkerIndex worker, std::size_t position) const;

    /// Where an iteration of a pass begins in the worker's stream: after the optimiser's step of
    /// the one before, which schedules without flush may delay.
    std::size_t BeginOf(WorkerIndex worker, std::uint32_t iterationOfPass) const;

    /// Sender and position of the messages that are sent before an iteration of a pass begins at
    /// their sender, and received after it has begun at their receiver: none with flush.
    std::vector<std::pair<WorkerIndex, std::size_t>> SendsInto(std::uint32_t iterationOfPass) const;

    /// Position of the message's Receive in the receiver's stream. `send` is a Send's position.
    std::size_t ReceiveOf(WorkerIndex sender, std::size_t send) const;

    /// The collective that the worker joins at `position` of its `pass`-th pass, from 0.
    CollectiveRequest
    CollectiveAt(WorkerIndex worker, std::size_t position, std::uint32_t pass) const;

    /// The worker's index among that collective's members.
    std::uint32_t MemberAt(WorkerIndex worker, std::size_t position) const;

  private:
    void PairSendsWithReceives();
    void NumberCollectives();

    const ExecutionPlan& m_plan;
    std::uint32_t m_iterationsPerPass = 1;
    std::vector<std::vector<std::size_t>> m_bubbles; ///< [worker]: their positions, ascending
    std::vector<std::vector<std::uint32_t>> m_receiveOfSend; ///< [worker][position of the Send]
    std::vector<std::vector<std::uint32_t>>
        m_ordinalOfCollective;               ///< [worker][position], of its group
    std::uint32_t m_collectivesPerGroup = 0; ///< of a pass, at most
};

} // namespace geotrain
