// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/formula-stream.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

FormulaStream::FormulaStream(Clock& clock, Settings settings, const std::vector<bool>& isReceiver)
    : m_clock(clock),
      m_settings(std::move(settings)),
      m_ends(isReceiver.size())
{
    for (std::size_t end = 0; end < m_ends.size(); ++end)
    {
        m_ends[end].isReceiver = isReceiver[end];
    }
}

void
FormulaStream::Give(std::size_t end, Bytes length, std::function<void()> done)
{
    End& giver = m_ends[end];
    giver.given += length.Count();
    giver.buffers.push_back({giver.given, std::move(done)});
    const auto least = std::min_element(
        m_ends.begin(), m_ends.end(), [](const End& a, const End& b) { return a.given < b.given; });
    if (least->given > m_moved)
    {
        // Where a receiver is the last one, its credit goes to the senders first.
        Move(least->given, m_clock.Now() + (giver.isReceiver ? m_settings.back : Duration()));
    }
}

/// Moves the bytes up to `until` from `earliest` on, and plans the ends of the buffers among them.
void
FormulaStream::Move(std::int64_t until, Instant earliest)
{
    std::vector<Carriage> carriages;
    const auto bytes = static_cast<double>(until - m_moved);
    for (FormulaLine* const line : m_settings.lines)
    {
        carriages.push_back({std::max(earliest, line->freeAt), line->bytesPerSecond});
        line->freeAt = carriages.back().begin + Duration::Seconds(bytes / line->bytesPerSecond);
    }
    for (End& end : m_ends)
    {
        while (!end.buffers.empty() && end.buffers.front().end <= until)
        {
            const auto place = static_cast<double>(end.buffers.front().end - m_moved);
            Instant at;
            for (const Carriage& carriage : carriages)
            {
                at = std::max(at,
                              carriage.begin + Duration::Seconds(place / carriage.bytesPerSecond));
            }
            at = at + m_settings.there + (end.isReceiver ? Duration() : m_settings.back);
            if (end.buffers.front().done)
            {
                m_clock.Schedule(at, std::move(end.buffers.front().done));
            }
            end.buffers.pop_front();
        }
    }
    m_moved = until;
}

} // namespace geotrain
