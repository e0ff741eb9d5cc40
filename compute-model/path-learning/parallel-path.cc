// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/parallel-path.h"

#include <cmath>

namespace geotrain
{

ParallelPath::ParallelPath(const PathParameters& path, RandomStream draws, RandomStream choices)
    : m_predictor(path, draws),
      m_choices(choices),
      m_slotNs(path.network->window.ToNanoseconds() /
               static_cast<std::int64_t>(path.network->slots)),
      m_slotEnd(m_slotNs)
{
    for (const PathLane& lane : path.lanes)
    {
        m_buffers.emplace_back(lane.rate, lane.buffer);
    }
    BeginSlot();
}

LanePassage
ParallelPath::Offer(Instant now, Bytes size)
{
    Advance(now.ToNanoseconds());
    LanePassage passage;
    passage.lane = Choose();
    const auto bytes = static_cast<double>(size.Count());
    const std::optional<double> stay = m_buffers[passage.lane].Offer(bytes);
    m_predictor.Add(now.ToNanoseconds(), bytes, stay, passage.lane);
    if (stay)
    {
        passage.stay = Duration::Nanoseconds(std::llround(*stay));
    }
    return passage;
}

/// Follows the buffers to `now`.
void
ParallelPath::Advance(std::int64_t now)
{
    const auto drift = [this](std::int64_t until)
    {
        for (FifoBuffer& buffer : m_buffers)
        {
            buffer.Drift(until);
        }
    };
    while (m_slotEnd <= now)
    {
        drift(m_slotEnd);
        m_slotEnd += m_slotNs;
        BeginSlot();
    }
    drift(now);
}

void
ParallelPath::BeginSlot()
{
    const WindowPrediction& next = m_predictor.Next();
    m_choice = next.choices;
    for (std::size_t k = 0; k < m_buffers.size(); ++k)
    {
        m_buffers[k].SetCrossTraffic(next.shares[k] * m_buffers[k].BytesPerNs());
    }
}

/// Draws the lane of a packet.
std::size_t
ParallelPath::Choose()
{
    double left = m_choices.Uniform();
    std::size_t lane = 0;
    while (lane + 1 < m_choice.size() && left >= m_choice[lane])
    {
        left -= m_choice[lane++];
    }
    return lane;
}

} // namespace geotrain
