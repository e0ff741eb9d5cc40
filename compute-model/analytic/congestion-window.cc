// SPDX-License-Identifier: GPL-2.0-only
// Computes growth, HyStart and pacing in the units of the RFCs: bytes, and nanoseconds as
// doubles.
#include "analytic/congestion-window.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double largestBurst = 65536; // bytes, bulk-tcp's
constexpr double millisecond = 1e6;    // ns, of a burst
constexpr double slowStartPace = 2;    // windows a round trip
constexpr double pace = 1.2;
constexpr double roundTripGain = 0.125; // RFC 6298, alpha
constexpr double variationGain = 0.25;  // RFC 6298, beta
constexpr double samplesKept = 32;     // of a train: what came before has no weight any more
constexpr double leastExtra = 2e6;     // ns in a probe's timeout, bulk-tcp's
constexpr double thresholdKept = 0.75; // of a window that restarts (RFC 2861, section 3.1)
constexpr int mostHalvings = 31;
constexpr double renoKept = 0.5;    // of a window after a loss (RFC 5681, equation 4)
constexpr double leastSegments = 2; // of a window after a loss (RFC 5681, equation 4)

// Linux's tcp_cubic.c
constexpr double leastRise = 4e6; // ns
constexpr double mostRise = 16e6; // ns
constexpr double riseDivisor = 8;
constexpr double samplesNeeded = 8;
constexpr double segmentsNeeded = 16;
constexpr double trainGap = 2e6;    // ns between its acknowledgements, at most
constexpr double aggregation = 1e6; // ns that an offload may cause

} // namespace

CongestionWindow::CongestionWindow(const AnalyticConnection& settings, Duration handshake)
    : m_segment(std::max<std::int64_t>(1, settings.segment.Count())),
      m_limit(std::max(settings.window.Count(), m_segment)),
      m_initial(settings.initialWindow > Bytes()
                    ? std::max(settings.initialWindow.Count(), m_segment)
                    : m_limit),
      m_firstFlight(settings.firstFlight.Count()),
      m_restartsAfterIdle(settings.restartsAfterIdle),
      m_isReno(settings.isReno),
      m_hasHyStart(settings.hasHyStart.value_or(!settings.isReno)),
      m_mostPace(settings.mostRate ? static_cast<double>(settings.mostRate->ToBitsPerSecond()) / 8e9
                                   : s_none),
      m_handshake(handshake),
      m_bytes(static_cast<double>(m_initial))
{
}

std::int64_t
CongestionWindow::Size() const
{
    const auto bytes = std::min(static_cast<std::int64_t>(m_bytes), m_limit);
    const bool isFirstFlight = m_firstFlight > 0 && !m_hasAcknowledgement;
    return isFirstFlight ? std::min(bytes, m_firstFlight) : bytes;
}

void
CongestionWindow::Open(Instant now)
{
    if (m_smoothed == 0)
    {
        m_smoothed = std::max(1.0, Nanoseconds(m_handshake));
        m_variation = m_smoothed / 2;
        m_burstEnd = now + m_handshake;
    }
}

void
CongestionWindow::Acknowledge(const AcknowledgedTrain& train,
                        std::int64_t sent,
                        std::int64_t inFlight,
                        bool grows)
{
    const auto count = static_cast<double>(train.acknowledgements);
    m_hasAcknowledgement = true;
    if (count > 0)
    {
        MeasureRoundTrips(train, count);
    }
    const std::int64_t una = sent - inFlight;
    if (std::exchange(m_hasAnswered, false))
    {
        m_answeredFrom = una - train.bytes + m_segment;
    }
    const bool isFull =
        m_isLimited || (m_bytes < m_threshold && m_bytes < 2 * static_cast<double>(m_mostOut));
    const bool isLimited = isFull && grows;
    if (!m_wasLimited)
    {
        m_cubic.MoveBack(m_lastAcknowledged - train.firstAcknowledged); // forward
    }
    m_wasLimited = isLimited;
    m_lastAcknowledged = train.lastAcknowledged;
    if (isLimited)
    {
        Grow(train, count, una, sent);
    }
    UpdatePacing();
}

void
CongestionWindow::MeasureRoundTrips(const AcknowledgedTrain& train, double count)
{
    const double first = Nanoseconds(train.firstAcknowledged - train.firstSent);
    const double last = Nanoseconds(train.lastAcknowledged - train.lastSent);
    MeasureRoundTrip(first + Nanoseconds(train.held));
    for (double sample = std::max(1.0, count - samplesKept); sample < count; ++sample)
    {
        MeasureRoundTrip(first + (last - first) * sample / count);
    }
    m_least = std::min({m_least, first, last});
}

void
CongestionWindow::MeasureRoundTrip(double nanoseconds)
{
    const double error = nanoseconds - m_smoothed;
    m_smoothed += roundTripGain * error;
    m_variation += variationGain * (std::abs(error) - m_variation);
}

void
CongestionWindow::Grow(const AcknowledgedTrain& train, double count, std::int64_t una, std::int64_t sent)
{
    const auto bytes = static_cast<double>(train.bytes);
    double share = 0;
    if (m_bytes < m_threshold)
    {
        if (m_hasHyStart && m_threshold == s_none && HyStartEnds(train, count, una, sent))
        {
            m_threshold = m_bytes;
        }
        const auto segment = static_cast<double>(m_segment);
        const double twiceOut = std::ceil(2 * static_cast<double>(m_mostOut) / segment) * segment;
        const double end = m_isLimited ? m_threshold : std::min(m_threshold, twiceOut);
        const double growth = std::min(bytes, std::max(0.0, end - m_bytes));
        share = growth / bytes;
        m_bytes += growth;
    }
    if (share < 1 && m_isLimited)
    {
        m_bytes = Avoid(train, (1 - share) * bytes);
    }
}

/// Returns the window after `bytes` of the train were acknowledged in congestion avoidance.
double
CongestionWindow::Avoid(const AcknowledgedTrain& train, double bytes)
{
    const auto segment = static_cast<double>(m_segment);
    if (m_isReno)
    {
        return m_bytes + segment * bytes / m_bytes; // RFC 5681, equation 3
    }
    return segment *
           m_cubic.Grown(train.firstAcknowledged, m_bytes / segment, bytes / segment, m_least);
}

/// A window that isn't full counts with half of what is not used (Linux's tcp_cwnd_application_limited).
void
CongestionWindow::Reduce(double share, std::int64_t inFlight)
{
    const auto segment = static_cast<double>(m_segment);
    const auto used = static_cast<double>(std::max(inFlight, m_initial));
    const double window =
        (m_isLimited ? m_bytes : std::min(m_bytes, (m_bytes + used) / 2)) / segment;
    const double reduced = m_isReno ? window * renoKept : m_cubic.Reduced(window);
    m_bytes = segment * std::max(leastSegments, window - share * (window - reduced));
    m_threshold = m_bytes;
    UpdatePacing();
}

void
CongestionWindow::Collapse()
{
    m_bytes = static_cast<double>(m_segment);
    UpdatePacing();
}

/// Returns whether HyStart ends slow start: acknowledgements have come in a train for longer than the least
/// round trip, or the round trip has risen by an eighth (Linux's hystart_update of a paced sender).
bool
CongestionWindow::HyStartEnds(const AcknowledgedTrain& train,
                              double count,
                              std::int64_t una,
                              std::int64_t sent)
{
    if (una > m_roundEnd)
    {
        m_roundBegin = train.firstAcknowledged;
        m_trainEnd = train.firstAcknowledged;
        m_leastOfRound = s_none;
        m_samples = 0;
        m_roundEnd = sent;
    }
    if (count == 0 || m_bytes < segmentsNeeded * static_cast<double>(m_segment))
    {
        return false;
    }
    const double first = Nanoseconds(train.firstAcknowledged - train.firstSent);
    const double last = Nanoseconds(train.lastAcknowledged - train.lastSent);
    m_leastOfRound = std::min({m_leastOfRound, first, last});
    m_samples += count;
    const double span = Nanoseconds(train.lastAcknowledged - train.firstAcknowledged);
    if (Nanoseconds(train.firstAcknowledged - m_trainEnd) <= trainGap && span <= count * trainGap)
    {
        m_trainEnd = train.lastAcknowledged;
    }
    const double rise = std::clamp(m_least / riseDivisor, leastRise, mostRise);
    return Nanoseconds(m_trainEnd - m_roundBegin) > m_least + aggregation ||
           (m_samples > samplesNeeded && m_leastOfRound > m_least + rise);
}

double
CongestionWindow::TimeoutInNanoseconds() const
{
    return m_smoothed + std::max(Nanoseconds(leastTimeoutVariation), 4 * m_variation);
}

Duration
CongestionWindow::Timeout() const
{
    return Duration::Nanoseconds(std::llround(TimeoutInNanoseconds()));
}

Duration
CongestionWindow::ProbeTimeout() const
{
    const double wait = 2 * m_smoothed + leastExtra; // RFC 8985, section 7.2
    return Duration::Nanoseconds(std::llround(std::min(wait, TimeoutInNanoseconds())));
}

void
CongestionWindow::RestartAfter(Duration idle)
{
    const double timeouts = std::floor(Nanoseconds(idle) / TimeoutInNanoseconds());
    const auto least = static_cast<double>(m_initial);
    if (!m_restartsAfterIdle || timeouts < 1 || m_bytes <= least)
    {
        return;
    }
    m_threshold = std::max(m_threshold, thresholdKept * m_bytes);
    const int halvings = static_cast<int>(std::min<double>(mostHalvings, timeouts));
    m_bytes = std::max(least, std::ldexp(m_bytes, -halvings));
    UpdatePacing();
}

void
CongestionWindow::UpdatePacing()
{
    const double factor = m_bytes < m_threshold / 2 ? slowStartPace : pace;
    m_pace = std::min(factor * m_bytes / m_smoothed, m_mostPace);
}

void
CongestionWindow::NoteSent(Instant now, std::int64_t bytes, std::int64_t sent, std::int64_t inFlight)
{
    m_hasSent = true;
    if (inFlight == bytes && m_lastAcknowledged < now) // nothing was in flight
    {
        m_cubic.MoveBack(m_lastAcknowledged - now); // forward
        m_lastAcknowledged = now;
    }
    NoteUse(sent, inFlight);
    if (m_pace == 0 || sent < m_initial)
    {
        return;
    }
    if (now >= m_pacedUntil)
    {
        m_pacedUntil = now;
        m_burst = 0;
    }
    const auto length = static_cast<double>(bytes);
    m_pacedUntil = m_pacedUntil + Duration::Nanoseconds(std::llround(length / m_pace));
    m_burst += length;
    if (m_burst >= std::min(m_pace * millisecond, largestBurst))
    {
        m_burstEnd = m_pacedUntil;
        m_burst = 0;
    }
}

/// Keeps the strongest sign, within a window of data, that the window is in use, as bulk-tcp does.
void
CongestionWindow::NoteUse(std::int64_t sent, std::int64_t inFlight)
{
    // What isn't paced answers the first of the acknowledgements that come together.
    const bool isPaced = m_pace > 0 && sent > m_initial;
    const std::int64_t out = isPaced ? inFlight : std::max(inFlight, sent - m_answeredFrom);
    const bool isLimited = static_cast<double>(inFlight + m_segment) > m_bytes;
    const bool isNewWindow = sent - inFlight >= m_usageEnd;
    m_hasAnswered = true;
    if (isLimited || isNewWindow || (!m_isLimited && out > m_mostOut))
    {
        m_isLimited = isLimited;
        m_mostOut = out;
        m_usageEnd = sent;
    }
}

Instant
CongestionWindow::SendsFrom() const
{
    return m_burstEnd;
}

Pacing
CongestionWindow::GetPacing() const
{
    const double left = std::min(m_pace * millisecond, largestBurst) - m_burst;
    return {m_bytes,
            m_pace,
            m_smoothed,
            left,
            m_hasSent,
            static_cast<double>(m_segment),
            static_cast<double>(m_limit)};
}

void
CongestionWindow::MoveBack(Duration by)
{
    m_pacedUntil = m_pacedUntil - by;
    m_burstEnd = m_burstEnd - by;
    m_lastAcknowledged = m_lastAcknowledged - by;
    m_roundBegin = m_roundBegin - by;
    m_trainEnd = m_trainEnd - by;
    m_cubic.MoveBack(by);
}

} // namespace geotrain
