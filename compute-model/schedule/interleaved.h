// SPDX-License-Identifier: GPL-2.0-only
// Interleaved 1F1B (Narayanan et al., SC'21, section 2.2.2; Megatron-LM's order): worker w of p
// hosts the v stages w, p + w, 2p + w, ... It works through its microbatches p at a time, chunk
// after chunk. 2(p-1-w) + (v-1)p forwards of chunks warm up, then one forward and one backward run
// in turn. The bubble falls by v, hops rise by v.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order. The makespan with equal times and no hops is (m + (p-1)/v) v (F + B). With v of
/// 2 or more p must divide m. v = 1 is 1F1B.
ScheduleOrder Interleaved(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry InterleavedEntry();

/// Return the k-th forward and backward of a worker in rounds of `workers` microbatches. The
/// forward is of chunk k / p mod v and its microbatch; backwards take the chunks in reverse.
Operation InterleavedForward(const ScheduleRequest& request, std::uint32_t k);
Operation InterleavedBackward(const ScheduleRequest& request, std::uint32_t k);

/// Returns why rounds of p microbatches don't fit; empty where p divides m, or v is 1.
std::string RefuseRounds(const ScheduleShape& shape);

} // namespace geotrain
