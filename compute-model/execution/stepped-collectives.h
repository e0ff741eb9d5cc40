// SPDX-License-Identifier: GPL-2.0-only
// Collectives of steps over striped messages: in each step a member sends a part of the vector to
// another one. A member may start when it has joined, and a step waits for all that the member has
// to receive in the steps before. A member is done when all members of its node have received all
// steps: NCCL hands on much smaller pieces than an n-th of the vector, so that those of a node end
// together. The time of the reduction itself is left out, which is small beside the transfer.
// The request's algorithm says which part goes where (collective-catalogue.h).
#pragma once

#include "execution/collectives.h"
#include "execution/message-layer.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace geotrain
{

/// SteppedCollectives run collectives step by step.
class SteppedCollectives : public Collectives
{
  public:
    /// `layer` must outlive this.
    explicit SteppedCollectives(MessageLayer& layer);

    /// Cancels all collectives.
    ~SteppedCollectives() override;
    SteppedCollectives(const SteppedCollectives&) = delete;
    SteppedCollectives& operator=(const SteppedCollectives&) = delete;

    /// Ends at once for a group of one. A failed message fails its collective.
    CollectiveHandle Join(const CollectiveRequest& request,
                          std::uint32_t member,
                          CollectiveCallback callback) override;

    void Cancel(CollectiveHandle collective) override;

  private:
    /// A Member is how far one member of a collective is.
    struct Member
    {
        std::uint32_t stepsSent = 0;
        std::uint32_t stepsReceived = 0; ///< without those that came before an earlier one
        Bytes copied;                    ///< at once to members of its node
        std::set<std::uint32_t> early;   ///< steps whose message came before an earlier one's
        CollectiveCallback callback;     ///< set from when the member has joined until it is called
        Clock::EventNumber check = 0;    ///< scheduled at the join, where others had done its steps
    };

    /// A Run is one collective in progress.
    struct Run
    {
        CollectiveRequest request;
        GroupShape shape{1}; ///< of all groups that do the same
        std::uint32_t steps = 0;
        std::map<NodeIndex, std::uint32_t> receiving; ///< members by node that lack a step
        std::uint32_t membersLeft = 0;                ///< members that were not called back
        std::vector<Member> members;
        std::vector<MessageHandle> sends;
        std::string failure; ///< empty if it has not failed
    };

    static bool IsOver(const Run& run, std::uint32_t member);
    Run& RunOf(const CollectiveRequest& request);
    void SendDueSteps(Run& run, std::uint32_t member);
    void OnStepEvent(std::uint64_t number,
                     std::uint32_t receiver,
                     std::uint32_t step,
                     const TransferEvent& event);
    void CallIfOver(std::uint64_t number, std::uint32_t member, Instant at);
    void CallNode(std::uint64_t number, NodeIndex node, Instant at);
    void Fail(std::uint64_t number, const TransferEvent& event);
    void CancelEvents(const Run& run);

    MessageLayer& m_layer;
    std::map<std::uint64_t, Run> m_runs; ///< by the number of the request
};

} // namespace geotrain
