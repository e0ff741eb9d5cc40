// SPDX-License-Identifier: GPL-2.0-only
// Gives the all-reduces of an executor's workers to a switch that adds and sends the sums back, with
// no server (SwitchML, NSDI'21; NVIDIA's SHARP does the same). A worker sends S and receives S, where
// a ring sends 2 (N - 1) S / N: at most twice as fast.
#pragma once

#include "in-network/stream-collectives.h"

namespace geotrain
{

/// SwitchAllReduce runs the all-reduces of all workers of a job.
class SwitchAllReduce : public StreamCollectives
{
  public:
    using StreamCollectives::StreamCollectives;

    CollectiveHandle Join(const CollectiveRequest& request,
                          std::uint32_t member,
                          CollectiveCallback callback) override;
};

} // namespace geotrain
