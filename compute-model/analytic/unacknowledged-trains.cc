// SPDX-License-Identifier: GPL-2.0-only
// Predicts acknowledgements, and does so again when the queue's rate changes.
#include "analytic/unacknowledged-trains.h"

#include <algorithm>

namespace geotrain
{

UnacknowledgedTrains::UnacknowledgedTrains(const PairQueue& queue, Duration delay)
    : m_queue(queue),
      m_delay(delay)
{
}

AcknowledgedTrain&
UnacknowledgedTrains::Push(const Train& train)
{
    m_trains.PushBack(train);
    return m_trains.Back().times = train.TimesOfMember();
}

void
UnacknowledgedTrains::Add(const Train& train, const Passage& passage)
{
    if (train.times.acknowledgements == 0 && train.lost == 0)
    {
        return;
    }
    const double perByte = Nanoseconds(passage.last - passage.first) /
                           static_cast<double>(std::max<std::int64_t>(1, train.bytes));
    const auto after = [&train, &passage, perByte](std::int64_t bytes)
    {
        return passage.first + Duration::Nanoseconds(static_cast<std::int64_t>(
                                   perByte * static_cast<double>(std::min(bytes, train.bytes))));
    };
    AcknowledgedTrain& times = Push(train);
    times.firstAcknowledged = after(train.untilFirst);
    times.lastAcknowledged = std::max(times.firstAcknowledged, after(train.untilLast));
}

void
UnacknowledgedTrains::Begin(const Train& train, Instant at)
{
    m_waitsForFirst = train.times.acknowledgements > 0 || train.lost > 0;
    if (m_waitsForFirst)
    {
        Push(train).firstAcknowledged = Instant::Never();
        Predict(at);
    }
}

void
UnacknowledgedTrains::Predict(Instant at)
{
    if (m_queue.Empty() || !m_waitsForFirst || !(m_queue.Rate() > 0))
    {
        return;
    }
    const Train& first = m_queue.First();
    const double served = m_queue.ServedOfFirst();
    const auto untilFirst = static_cast<double>(std::min(first.untilFirst, first.bytes));
    AcknowledgedTrain& times = m_trains.Back().times;
    if (served == 0 || served < untilFirst)
    {
        times.firstAcknowledged = m_queue.LeavesFirst(untilFirst, at) + m_delay;
    }
    times.lastAcknowledged =
        m_queue.LeavesFirst(static_cast<double>(std::min(first.untilLast, first.bytes)), at) +
        m_delay;
}

void
UnacknowledgedTrains::End(const Train& train, Instant at)
{
    if (m_waitsForFirst)
    {
        const double after =
            static_cast<double>(train.bytes - std::min(train.untilLast, train.bytes)) /
            m_queue.Rate();
        const Instant last = at - Duration::Nanoseconds(static_cast<std::int64_t>(after));
        AcknowledgedTrain& times = m_trains.Back().times;
        times.lastAcknowledged = std::max(times.firstAcknowledged, last + m_delay);
    }
    m_waitsForFirst = false;
}

Train
UnacknowledgedTrains::PopFront()
{
    const Train train = m_trains.PopFront();
    m_waitsForFirst = m_waitsForFirst && !m_trains.Empty();
    return train;
}

} // namespace geotrain
