// SPDX-License-Identifier: GPL-2.0-only
// Collectives in logarithmic steps, as NCCL's PAT has them (Jeaugey, NVIDIA 2024), by the algorithm of
// Bruck et al. (IEEE TPDS 1997): with n members an all-gather takes ceil(log2 n) steps, of which the
// k-th sends min(2^k, n - 2^k) n-ths of the vector to the member 2^k before. A reduce-scatter is the
// same backwards, and an all-reduce is both. It ignores PAT's buffers, which split large vectors.
#pragma once

#include "execution/stepped-collectives.h"

namespace geotrain
{

/// TreeCollectives run each collective in the fewest steps.
class TreeCollectives : public SteppedCollectives
{
  public:
    /// `layer` must outlive this.
    explicit TreeCollectives(MessageLayer& layer);

  private:
    std::uint32_t StepsOf(const CollectiveRequest& request) const override;
    Step StepOf(const CollectiveRequest& request,
                std::uint32_t member,
                std::uint32_t step) const override;
};

/// Returns the distances to which members of a group of `members` send in an all-gather or in a
/// reduce-scatter: 1, 2, 4, ...
std::vector<std::uint32_t> TreeDistances(std::uint32_t members);

} // namespace geotrain
