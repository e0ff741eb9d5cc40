// SPDX-License-Identifier: GPL-2.0-only
// Tells losses at random, as on a radio link, from those of a full buffer. A packet that is lost while the
// packets around it waited for less than half of the longest wait found room. Such losses are random where
// they are more than chance or a burst of others' packets explains. Where packets hardly wait for one
// another, no buffer was ever full, and all losses are random.
#pragma once

#include "path-learning/packet-trace.h"

namespace geotrain
{

/// RandomLoss is what a record says of losses at random.
struct RandomLoss
{
    double share = 0;  ///< of all packets
    PacketTrace trace; ///< the record with these packets arriving, between those around them
};

/// Returns the losses at random of a record; its share is 0 where there are none to speak of.
RandomLoss RandomLossOf(const PacketTrace& trace);

} // namespace geotrain
