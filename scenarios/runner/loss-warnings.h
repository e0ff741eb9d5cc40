// SPDX-License-Identifier: GPL-2.0-only
// Says after a run where a network without packets has lost some, since it has but a model of what
// follows, where packets would have been lost that it knows nothing of, and where packets were lost
// before the measurement.
#pragma once

#include "execution/execution-observer.h"
#include "units/bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns a line where a network without packets has lost bytes.
std::vector<std::string> WarningsOfLosses(const Network& network);

/// WarmUpLosses counts what is sent again in warm-up iterations. retransmitted_bytes leaves it out, but
/// the windows that losses reduced may last into the measurement.
class WarmUpLosses : public ExecutionObserver
{
  public:
    /// `network` must outlive this object.
    WarmUpLosses(const Network& network,
                 std::uint32_t warmUpIterations,
                 std::uint32_t measuredIterations);

    void IterationEnded(std::uint32_t iteration, Instant end) override;

    /// Returns a line where a warm-up iteration sent more than twice as much again as a measured one;
    /// none for a network without packets, whose line of losses counts all iterations. The last
    /// `repeated` measured iterations were not simulated.
    std::optional<std::string> Warning(std::uint32_t repeated) const;

  private:
    const Network& m_network;
    std::uint32_t m_warmUp;
    std::uint32_t m_measured;
    Bytes m_inWarmUp;
    Bytes m_inAll;             ///< of the warm-up and measured iterations that have ended
    std::uint32_t m_ended = 0; ///< number of these
};

} // namespace geotrain
