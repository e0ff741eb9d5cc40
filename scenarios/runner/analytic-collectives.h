// SPDX-License-Identifier: GPL-2.0-only
// Times of collectives that a run doesn't carry over its network (all_reduce_fidelity: ANALYTIC): a
// ring by itself, each step the latency to the successor plus the piece at the slowest rate of the
// ring. What it ignores: other traffic on the same NICs and links, rings of other stages among it,
// and TCP. (Patarasuk and Yuan, JPDC 2009: 2(n-1) steps for an all-reduce, n-1 for its two halves.)
#pragma once

#include "execution/collectives.h"
#include "wan/resources.h"

namespace geotrain
{

/// `nodeLocalRate` is what GPUs of one node exchange.
Duration RingTime(const CollectiveRequest& request,
                  const Resources& resources,
                  BitRate nodeLocalRate);

} // namespace geotrain
