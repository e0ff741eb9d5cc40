// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/path-cell.h"

#include <cmath>
#include <limits>

namespace geotrain
{

namespace
{

constexpr double bitNsPerByteSecond = 8e9; // bit/s over bytes/ns

} // namespace

PathCell::PathCell(const PathParameters& path, RandomStream draws, RandomStream choices)
    : m_crossTraffic(path.crossTraffic),
      m_choices(choices),
      m_binEnd(std::numeric_limits<std::int64_t>::max())
{
    for (const PathLane& lane : path.Lanes())
    {
        m_buffers.emplace_back(lane.rate, lane.buffer);
    }
    if (path.crossTraffic.yields && path.lanes.empty())
    {
        m_yielding.emplace(path.crossTraffic, path);
    }
    else if (path.network)
    {
        m_predictor = std::make_unique<WindowPredictor>(path, draws);
        const WindowNetwork& network = *path.network;
        m_binNs = network.window.ToNanoseconds() / static_cast<std::int64_t>(network.slots);
    }
    else if (!m_crossTraffic.bitsPerSecond.empty())
    {
        m_binNs = m_crossTraffic.bin.ToNanoseconds();
    }
    if (m_binNs > 0)
    {
        BeginBin();
        m_binEnd = m_binNs;
    }
}

LanePassage
PathCell::Offer(Instant now, Bytes size)
{
    Advance(now.ToNanoseconds());
    LanePassage passage;
    passage.lane = ChooseLane();
    const auto bytes = static_cast<double>(size.Count());
    const std::optional<double> stay = m_buffers[passage.lane].Offer(bytes);
    if (m_predictor)
    {
        m_predictor->Add(now.ToNanoseconds(), bytes, stay, passage.lane);
    }
    if (stay)
    {
        passage.stay = Duration::Nanoseconds(std::llround(*stay));
    }
    return passage;
}

/// Follows the buffers to `now`.
void
PathCell::Advance(std::int64_t now)
{
    const auto drift = [this](std::int64_t until)
    {
        for (FifoBuffer& buffer : m_buffers)
        {
            buffer.Drift(until);
        }
    };
    if (m_yielding)
    {
        m_yielding->Advance(now, m_buffers.front());
        return;
    }
    while (m_binEnd <= now)
    {
        drift(m_binEnd);
        m_binEnd += m_binNs;
        BeginBin();
    }
    drift(now);
}

/// Sets the cross traffic of the bin that begins.
void
PathCell::BeginBin()
{
    if (!m_predictor)
    {
        m_buffers.front().SetCrossTraffic(m_crossTraffic.bitsPerSecond[m_nextBin] /
                                          bitNsPerByteSecond);
        m_nextBin = (m_nextBin + 1) % m_crossTraffic.bitsPerSecond.size();
        return;
    }
    const WindowPrediction& next = m_predictor->Next();
    m_likelihoods = next.choices;
    for (std::size_t k = 0; k < m_buffers.size(); ++k)
    {
        m_buffers[k].SetCrossTraffic(next.shares[k] * m_buffers[k].BytesPerNs());
    }
}

/// Draws the lane of a packet.
std::size_t
PathCell::ChooseLane()
{
    if (m_buffers.size() == 1)
    {
        return 0;
    }
    double left = m_choices.Uniform();
    std::size_t lane = 0;
    while (lane + 1 < m_likelihoods.size() && left >= m_likelihoods[lane])
    {
        left -= m_likelihoods[lane++];
    }
    return lane;
}

} // namespace geotrain
