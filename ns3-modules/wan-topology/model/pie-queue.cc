// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/pie-queue.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

namespace
{

const Bytes measuredSpan = Bytes::Of(16384); ///< DQ_THRESHOLD (RFC 8033, section 4.3)

} // namespace

PieQueue::PieQueue(const geotrain::PieSettings& settings,
                   Bytes meanPacket,
                   std::function<double()> uniform)
    : m_settings(settings),
      m_meanPacket(meanPacket),
      m_uniform(std::move(uniform)),
      m_burst(settings.maxBurst)
{
}

AqmVerdict
PieQueue::Decide(Instant now, bool ecnCapable)
{
    AdvanceTo(now);
    if (m_burst > Duration() || !DropsEarly())
    {
        return AqmVerdict::Pass;
    }
    const bool marks = m_settings.ecn && ecnCapable && m_probability < m_settings.markProbability;
    return marks ? AqmVerdict::Mark : AqmVerdict::Drop;
}

void
PieQueue::Add(Instant now, Instant turn, Bytes size)
{
    m_waiting.PushBack({now, turn, size});
    m_bytes += size;
    AdvanceTo(now); // an idle link takes it at once
}

/// Lets packets leave and the probability change until `now`, in the order of time.
void
PieQueue::AdvanceTo(Instant now)
{
    while (true)
    {
        const Instant leaves = m_waiting.Empty() ? Instant::Never() : m_waiting.Front().until;
        if (std::min(leaves, m_nextUpdate) > now)
        {
            return;
        }
        if (leaves <= m_nextUpdate)
        {
            Depart();
            continue;
        }
        Update();
        m_nextUpdate = m_nextUpdate + m_settings.update;
        const bool isAtRest = m_waiting.Empty() && m_probability == 0 && m_waitBefore == 0;
        if (isAtRest && m_burst == m_settings.maxBurst && m_nextUpdate < now)
        {
            // It stays so until a packet comes.
            const std::int64_t idle = (now - m_nextUpdate).ToNanoseconds();
            const std::int64_t interval = m_settings.update.ToNanoseconds();
            m_nextUpdate = m_nextUpdate + Duration::Nanoseconds(idle / interval * interval);
        }
    }
}

void
PieQueue::Depart()
{
    const Waiting first = m_waiting.PopFront();
    m_bytes = m_bytes - first.size;
    m_lastWait = m_waiting.Empty() ? Duration() : first.until - first.since;
    MeasureRate(first);
}

/// Measures the rate over spans of a queue that never has less than is measured (section 4.3).
void
PieQueue::MeasureRate(const Waiting& packet)
{
    if (!m_isMeasuring && !(m_bytes < measuredSpan))
    {
        m_isMeasuring = true;
        m_measuredSince = packet.until;
        m_measured = Bytes();
    }
    if (!m_isMeasuring)
    {
        return;
    }
    m_measured += packet.size;
    if (m_measured < measuredSpan)
    {
        return;
    }
    const double span = (packet.until - m_measuredSince).ToSeconds();
    if (span > 0)
    {
        const double rate = static_cast<double>(m_measured.Count()) / span;
        m_bytesPerSecond = m_bytesPerSecond == 0 ? rate : 0.5 * m_bytesPerSecond + 0.5 * rate;
    }
    m_isMeasuring = m_bytes > measuredSpan;
    m_measuredSince = packet.until;
    m_measured = Bytes();
}

/// Sets the probability (section 4.2) and the allowance for bursts (section 4.4).
void
PieQueue::Update()
{
    double wait = m_lastWait.ToSeconds();
    if (m_settings.delay == geotrain::PieSettings::Delay::DepartureRate)
    {
        wait = m_bytesPerSecond > 0 ? static_cast<double>(m_bytes.Count()) / m_bytesPerSecond : 0;
    }
    m_probability += Change(wait);
    if (wait == 0 && m_waitBefore == 0)
    {
        m_probability *= 0.98;
    }
    m_probability = std::clamp(m_probability, 0.0, 1.0);
    m_burst = std::max(Duration(), m_burst - m_settings.update);
    const double half = m_settings.target.ToSeconds() / 2;
    if (m_probability == 0 && wait < half && m_waitBefore < half)
    {
        m_burst = m_settings.maxBurst;
    }
    m_waitBefore = wait;
}

/// Returns the change of the probability, which is the smaller the smaller the probability is.
double
PieQueue::Change(double wait) const
{
    double change = m_settings.alpha * (wait - m_settings.target.ToSeconds()) +
                    m_settings.beta * (wait - m_waitBefore);
    constexpr std::pair<double, double> divisors[] = {
        {1e-6, 2048}, {1e-5, 512}, {1e-4, 128}, {1e-3, 32}, {1e-2, 8}, {1e-1, 2}};
    for (const auto& [below, divisor] : divisors)
    {
        if (m_probability < below)
        {
            return change / divisor;
        }
    }
    return std::min(change, 0.02); // section 5.5
}

bool
PieQueue::DropsEarly()
{
    const bool isShort = m_waitBefore < m_settings.target.ToSeconds() / 2 && m_probability < 0.2;
    if (isShort || m_bytes.Count() <= 2 * m_meanPacket.Count())
    {
        return false;
    }
    return m_uniform() < m_probability;
}

} // namespace ns3
