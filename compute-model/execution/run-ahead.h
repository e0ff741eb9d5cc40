// SPDX-License-Identifier: GPL-2.0-only
// Varuna's policy for late gradients (Athlur et al., EuroSys'22, section 4.1). While the gradient
// that a worker needs next is late, it runs the next forward whose input is here, as long as it may
// hold another activation. None runs between a recomputation and its backward, since the recomputed
// activations occupy memory then.
#pragma once

#include "execution/inbox.h"
#include "execution/instruction.h"
#include "execution/order-policy.h"

#include <set>
#include <vector>

namespace geotrain
{

/// RunAhead is the policy of one worker that deviates.
class RunAhead : public OrderPolicy
{
  public:
    /// `activationCap` is the most activations that the worker holds. The references must outlive
    /// this.
    RunAhead(const InstructionStream& stream, std::uint32_t activationCap, const Inbox& inbox);

    void BeginPass() override;
    bool IsDone(std::size_t position) const override;
    std::optional<std::size_t> Instead(std::size_t position, Instant now) override;
    void InputArrived(std::size_t receive) override;
    void ComputeBegan(std::size_t position, Instant now) override;
    std::optional<std::size_t> ComputeEnded(std::size_t position) override;

  private:
    bool Is(std::size_t position, InstructionKind kind) const;
    bool IsActivationsReceive(std::size_t position) const;
    bool IsForwardReady(std::size_t position) const;
    bool IsGradientLate(std::size_t position, Instant now) const;
    bool FollowsRecompute(std::size_t receive) const;

    const InstructionStream& m_stream;
    std::uint32_t m_activationCap;
    const Inbox& m_inbox;
    std::vector<bool> m_releases; ///< by position: the end of the instruction frees an activation

    // These belong to the pass in progress.
    std::vector<bool> m_done;        ///< by position: the instruction was run ahead
    std::set<std::size_t> m_ready;   ///< forwards that have their input and have not begun
    std::uint32_t m_activations = 0; ///< activations held now
    std::optional<Instant> m_firstCompute;
};

} // namespace geotrain
