// SPDX-License-Identifier: GPL-2.0-only
// Describes the experts of a mixture-of-experts layer: MLPs of which a router chooses a few for each
// token (Shazeer et al. 2017, arXiv 1701.06538).
#pragma once

#include <cstdint>

namespace geotrain
{

/// ExpertSpec is the MLP of a layer that has experts.
struct ExpertSpec
{
    std::uint32_t count = 0;    ///< routed experts E of a layer; 0: the model has none
    std::uint32_t perToken = 0; ///< routed experts k that a token meets
    std::uint32_t width = 0;    ///< inner width of a routed expert
    /// Inner width of all shared experts together, which every token meets; 0: none.
    std::uint32_t sharedWidth = 0;
    bool hasSharedGate = false; ///< the shared experts' result has a gate of `hidden` weights
    bool hasRouterBias = false; ///< the router has a number per expert beside its matrix
    /// Routing that is limited to nodes (DeepSeek-V2, arXiv 2405.04434, section 2.2.2): a token's
    /// experts lie in `groupsPerToken` of `groups` equal groups of experts; 0: in any.
    std::uint32_t groups = 0;
    std::uint32_t groupsPerToken = 0;
    /// Each expert takes capacityFactor x tokens x k / E rows, padded or cut off (GShard, arXiv
    /// 2006.16668, section 2.2); 0: as many as are sent to it (dropless).
    double capacityFactor = 0;
    /// Relative standard deviation of the tokens of an expert, whose draw is the same in all layers
    /// (expert-loads.h); 0: even.
    double imbalance = 0;
    std::uint64_t seed = 1; ///< of that draw
};

} // namespace geotrain
