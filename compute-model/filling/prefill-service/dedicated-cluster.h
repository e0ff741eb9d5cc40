// What a user would buy instead of bubbles: the same requests on GPUs of their own. Groups of as many workers as a
// chain has serve in the order of arrival, each prefill on the group whose first stage is free first, without batching;
// the stages of a group work on different prefills at a time. KV caches and memory are no limit there.
#pragma once

#include "prefill-service/prefill-request.h"
#include "prefill-service/serving-times.h"

#include <functional>
#include <optional>
#include <vector>

namespace geotrain
{

struct DedicatedResult
{
    std::uint32_t groups = 0;
    std::uint64_t served = 0; ///< the others would be too late
    Duration ttftP50;         ///< of those served; nearest rank
    Duration ttftP90;
    Duration ttftP99;
};

class DedicatedCluster
{
  public:
    using Deadline = std::function<Instant(const PrefillRequest&)>;

    /// `requests` by arrival. Groups are of `like`'s GPUs and hops. All but the deadline must outlive this.
    DedicatedCluster(const std::vector<PrefillRequest>& requests,
                     const ServingTimes& times,
                     const ServingChain& like,
                     Deadline deadline);

    /// On at least 1 group.
    DedicatedResult Serve(std::uint32_t groups) const;

    /// The fewest groups, `most` at most, that serve at least as many with a 90th percentile no longer. More groups
    /// never serve worse, so that it is found by halving. nullopt: `most` are too few.
    std::optional<DedicatedResult>
    Fewest(std::uint32_t most, std::uint64_t served, Duration ttftP90) const;

  private:
    const std::vector<PrefillRequest>& m_requests;
    const ServingTimes& m_times;
    const ServingChain& m_like;
    Deadline m_deadline;
};

} // namespace geotrain
