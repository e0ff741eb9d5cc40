// SPDX-License-Identifier: GPL-2.0-only
// Computes the times of collectives that the run's network does not carry (all_reduce_fidelity:
// ANALYTIC). A collective is a ring by itself; each of its steps takes the latency to the successor
// plus the time of a piece at the slowest rate of the ring. It ignores TCP and other traffic on the
// same NICs and links, also that of other stages' rings. Source: Patarasuk and Yuan, JPDC 2009;
// 2(n-1) steps for an all-reduce, n-1 for each of its two halves.
#pragma once

#include "execution/collectives.h"
#include "wan/resources.h"

namespace geotrain
{

/// Returns the time of the collective. `nodeLocalRate` is the rate between two GPUs of one node.
Duration RingTime(const CollectiveRequest& request,
                  const Resources& resources,
                  BitRate nodeLocalRate);

} // namespace geotrain
