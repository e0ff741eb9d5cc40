// SPDX-License-Identifier: GPL-2.0-only
// Models a path as several FIFO buffers side by side, its lanes: each packet takes one of them at
// random, so that packets overtake each other. A network says window by window how likely each lane is,
// and the cross traffic in it. Within a lane it is PathCell.
#pragma once

#include "path-learning/fifo-buffer.h"
#include "path-learning/window-predictor.h"
#include "units/duration.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// LanePassage is what became of a packet.
struct LanePassage
{
    std::size_t lane = 0;
    std::optional<Duration> stay; ///< until its last bit leaves the buffer; none: dropped
};

/// ParallelPath is one direction.
class ParallelPath
{
  public:
    /// `path.lanes` are at least two, and `path.network` is there.
    ParallelPath(const PathParameters& path, RandomStream draws, RandomStream choices);

    /// Offers a packet at `now`, which never goes back.
    LanePassage Offer(Instant now, Bytes size);

  private:
    void Advance(std::int64_t now);
    void BeginSlot();
    std::size_t Choose();

    WindowPredictor m_predictor;
    RandomStream m_choices;
    std::vector<FifoBuffer> m_buffers;
    std::vector<double> m_choice; ///< by lane: probability in the present slot
    std::int64_t m_slotNs;
    std::int64_t m_slotEnd;
};

} // namespace geotrain
