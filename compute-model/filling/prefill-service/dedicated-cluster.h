// SPDX-License-Identifier: GPL-2.0-only
// Models what a user would buy instead of bubbles: the same requests on GPUs of their own. Groups
// of as many workers as a chain has serve in the order of arrival, each prefill on the group whose
// first stage is free first, without batching. The stages of a group work on different prefills at
// a time. KV caches and memory are no limit there.
#pragma once

#include "prefill-service/prefill-request.h"
#include "prefill-service/serving-times.h"

#include <functional>
#include <optional>
#include <vector>

namespace geotrain
{

/// A DedicatedResult is what a cluster of that size achieves.
struct DedicatedResult
{
    std::uint32_t groups = 0;
    std::uint64_t served = 0; ///< requests served; the others would be too late
    Duration ttftP50;         ///< percentiles over those served; nearest rank
    Duration ttftP90;
    Duration ttftP99;
};

/// DedicatedCluster serves a list of requests on clusters of any size.
class DedicatedCluster
{
  public:
    using Deadline = std::function<Instant(const PrefillRequest&)>;

    /// `requests` are sorted by arrival. Groups have the GPUs and hops of `like`. All but the
    /// deadline must outlive this.
    DedicatedCluster(const std::vector<PrefillRequest>& requests,
                     const ServingTimes& times,
                     const ServingChain& like,
                     Deadline deadline);

    /// Serves the requests on `groups` groups, at least 1.
    DedicatedResult Serve(std::uint32_t groups) const;

    /// Returns the fewest groups, at most `most`, that serve at least `served` requests with a 90th
    /// percentile no longer than `ttftP90`. More groups never serve worse, so it is found by
    /// halving. Returns nullopt where `most` groups are too few.
    std::optional<DedicatedResult>
    Fewest(std::uint32_t most, std::uint64_t served, Duration ttftP90) const;

  private:
    const std::vector<PrefillRequest>& m_requests;
    const ServingTimes& m_times;
    const ServingChain& m_like;
    Deadline m_deadline;
};

} // namespace geotrain
