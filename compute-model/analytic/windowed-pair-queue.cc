// The queue of a pair: trains leave it one after another at the rate that the network gives.
#include "analytic/windowed-pair.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double nothing = 1e-3; // bytes, of rounding

} // namespace

void
WindowedPair::Serve(Instant now)
{
    double left = m_rate * static_cast<double>((now - m_now).ToNanoseconds());
    while (!m_queue.Empty())
    {
        const double rest = static_cast<double>(m_queue.Front().bytes) - m_servedOfFirst;
        // An end that was rounded up to a nanosecond leaves less than that nanosecond's bytes.
        if (rest > left + nothing)
        {
            m_servedOfFirst += left;
            break;
        }
        left = std::max(0.0, left - rest);
        const auto ago = static_cast<std::int64_t>(m_rate > 0 ? left / m_rate : 0);
        EndService(now - Duration::Nanoseconds(ago));
    }
    m_now = now;
}

void
WindowedPair::BeginService(Instant at)
{
    Train& train = m_queue.Front();
    if (train.isFirst)
    {
        Tell(Event::Kind::Begun, train.message);
    }
    m_firstIsAcknowledged = !HasWindows() || train.times.acknowledgements == 0;
    if (m_firstIsAcknowledged)
    {
        return;
    }
    train.times.firstAcknowledged = Instant::Never();
    m_unacknowledged.PushBack(train);
    PredictAcknowledgements(at);
}

/// Of the train that is being served at `at`.
void
WindowedPair::PredictAcknowledgements(Instant at)
{
    if (m_queue.Empty() || m_firstIsAcknowledged || !HasWindows() || !(m_rate > 0))
    {
        return;
    }
    const auto leaves = [this, at](double bytes)
    {
        const double wait = std::max(0.0, bytes - m_servedOfFirst) / m_rate;
        return at + Duration::Nanoseconds(static_cast<std::int64_t>(std::ceil(wait)));
    };
    AcknowledgedTrain& train = m_unacknowledged.Back().times;
    const auto first = static_cast<double>(m_queue.Front().untilFirst);
    if (m_servedOfFirst == 0 || m_servedOfFirst < first)
    {
        train.firstAcknowledged = leaves(first) + m_settings.delay;
    }
    train.lastAcknowledged =
        leaves(static_cast<double>(m_queue.Front().untilLast)) + m_settings.delay;
}

void
WindowedPair::EndService(Instant at)
{
    const Train train = m_queue.PopFront();
    m_servedOfFirst = 0;
    if (m_reverse)
    {
        m_departures.PushBack({train.queued, at});
        while (m_departures.Front().at + (m_settings.delay + m_settings.returnDelay) * 2 < at)
        {
            m_departures.PopFront();
        }
    }
    if (HasWindows() && !m_firstIsAcknowledged)
    {
        const double after = static_cast<double>(train.bytes - train.untilLast) / m_rate;
        const Instant last = at - Duration::Nanoseconds(static_cast<std::int64_t>(after));
        m_unacknowledged.Back().times.lastAcknowledged =
            std::max(m_unacknowledged.Back().times.firstAcknowledged, last + m_settings.delay);
    }
    while (!m_marks.Empty() && m_marks.Front() <= train.end)
    {
        m_marks.PopFront();
    }
    if (train.isLast)
    {
        if (!HasWindows())
        {
            Tell(Event::Kind::Sent, train.message);
        }
        Tell(Event::Kind::Left, train.message);
        m_freeMessages.push_back(train.message);
    }
    if (!m_queue.Empty())
    {
        BeginService(at);
    }
}

/// How long what is sent now waits beyond a round trip.
Duration
WindowedPair::Backlog() const
{
    if (m_queue.Empty() || !(m_rate > 0))
    {
        return {};
    }
    return std::max(Duration(),
                    After(m_queued - Served()) - m_now - m_settings.delay - m_settings.returnDelay);
}

/// Bytes that have left since the start. The ends of trains are whole numbers, so that no rounding adds up.
double
WindowedPair::Served() const
{
    const Train& first = m_queue.Front();
    return first.end - static_cast<double>(first.bytes) + m_servedOfFirst;
}

Instant
WindowedPair::After(double bytes) const
{
    const double wait = m_rate > 0 ? std::max(0.0, bytes) / m_rate : 0;
    return m_now + Duration::Nanoseconds(static_cast<std::int64_t>(std::ceil(wait)));
}

/// When something small that came to the queue at an instant has left it.
Instant
WindowedPair::LeavesAfter(Instant queued) const
{
    const auto isLater = [](Instant at, const auto& train) { return at < train; };
    if (!m_queue.Empty() && m_queue.Front().queued <= queued)
    {
        if (m_queue.Back().queued <= queued)
        {
            return std::max(queued, After(m_queued - Served()));
        }
        const auto ahead = std::upper_bound(m_queue.begin(),
                                            m_queue.end(),
                                            queued,
                                            [&](Instant at, const Train& train)
                                            { return isLater(at, train.queued); });
        return std::max(queued, After(std::prev(ahead)->end - Served()));
    }
    if (m_departures.Empty() || m_departures.Back().at <= queued)
    {
        return queued;
    }
    const auto ahead = std::upper_bound(m_departures.begin(),
                                        m_departures.end(),
                                        queued,
                                        [&](Instant at, const Departure& departure)
                                        { return isLater(at, departure.queued); });
    return ahead == m_departures.begin() ? queued : std::max(queued, std::prev(ahead)->at);
}

} // namespace geotrain
