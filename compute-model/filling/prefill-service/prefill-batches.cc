// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/prefill-batches.h"

namespace geotrain
{

std::uint32_t
PrefillBatches::Add(PrefillBatch batch)
{
    if (m_free.empty())
    {
        m_free.push_back(static_cast<std::uint32_t>(m_batches.size()));
        m_batches.emplace_back();
    }
    const std::uint32_t index = m_free.back();
    m_free.pop_back();
    m_batches[index] = std::move(batch);
    return index;
}

void
PrefillBatches::Free(std::uint32_t index)
{
    m_batches[index] = PrefillBatch();
    m_free.push_back(index);
}

std::deque<PrefillBatch>&
PrefillBatches::All()
{
    return m_batches;
}

PrefillBatch&
PrefillBatches::operator[](std::uint32_t index)
{
    return m_batches[index];
}

const PrefillBatch&
PrefillBatches::operator[](std::uint32_t index) const
{
    return m_batches[index];
}

void
WaitingBatches::Add(std::uint32_t index, const PrefillBatch& batch)
{
    m_queue.emplace(batch.rank, Entry{index, batch.deadline});
    if (batch.deadline != Instant::Never())
    {
        m_byDeadline.emplace(WorkRank(batch.deadline, batch.rank.second), batch.rank);
    }
}

std::optional<std::uint32_t>
WaitingBatches::TakeExpired(Instant now)
{
    if (m_byDeadline.empty() || m_byDeadline.begin()->first.first >= now)
    {
        return std::nullopt;
    }
    const auto queued = m_queue.find(m_byDeadline.begin()->second);
    const std::uint32_t index = queued->second.index;
    m_queue.erase(queued);
    m_byDeadline.erase(m_byDeadline.begin());
    return index;
}

} // namespace geotrain
