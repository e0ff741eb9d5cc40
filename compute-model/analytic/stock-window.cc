// SPDX-License-Identifier: GPL-2.0-only
// Computes what the acknowledgements of a train add to the window, and where in it slow start ends.
#include "analytic/stock-window.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

// Attributes of ns-3 3.37's TcpCubic.
constexpr double lowWindowSegments = 16; // HyStartLowWindow
constexpr double ackDelta = 2e6;         // ns, HyStartAckDelta
constexpr double delayMin = 4e6;         // ns, HyStartDelayMin
constexpr double delayMax = 1e9;         // ns, HyStartDelayMax
constexpr int minSamples = 8;            // HyStartMinSamples
constexpr double timestampUnit = 1e6;    // ns, the timestamps' unit
constexpr double leastMeasured = 1e3;    // ns, what ns-3 takes for a round trip of 0 ms
constexpr double leastSegments = 2;      // of a window after a loss
constexpr Duration leastTimeout = Duration::Milliseconds(1000); // TcpSocketBase's MinRto
constexpr double limitsKept = 2; // windows stop at twice what may be in flight

} // namespace

StockWindow::StockWindow(const Settings& settings)
    : m_settings(settings)
{
    m_settings.limit = std::max(settings.limit, settings.segment);
    const bool isCold = settings.initial > 0 && settings.initial < m_settings.limit;
    m_bytes = isCold ? static_cast<double>(std::max(settings.initial, settings.segment))
                     : limitsKept * static_cast<double>(m_settings.limit);
}

std::int64_t
StockWindow::Size() const
{
    const std::int64_t segment = std::max<std::int64_t>(1, m_settings.segment);
    const auto window = static_cast<std::int64_t>(m_bytes);
    const std::int64_t bytes = std::min(window - window % segment, m_settings.limit);
    const bool isFirstFlight = m_settings.firstFlight > 0 && !m_hasAcknowledgement;
    return isFirstFlight ? std::min(bytes, m_settings.firstFlight) : bytes;
}

bool
StockWindow::StaysAsItIs() const
{
    return m_bytes >= limitsKept * static_cast<double>(m_settings.limit);
}

void
StockWindow::Reduce(double share, std::int64_t /*inFlight*/)
{
    m_inSlowStart = false;
    const auto segment = static_cast<double>(std::max<std::int64_t>(1, m_settings.segment));
    const double window = std::min(m_bytes, static_cast<double>(m_settings.limit)) / segment;
    const double reduced = std::max(leastSegments, m_cubic.Reduced(window));
    m_bytes = segment * (window - share * (window - reduced));
    m_threshold = 0;
}

void
StockWindow::Collapse()
{
    m_threshold = std::max(m_threshold, m_bytes);
    m_bytes = static_cast<double>(std::max<std::int64_t>(1, m_settings.segment));
}

Duration
StockWindow::Timeout() const
{
    return std::max(leastTimeout,
                    Duration::Nanoseconds(static_cast<std::int64_t>(2 * m_smoothedRoundTrip)));
}

void
StockWindow::MoveBack(Duration by)
{
    m_roundStart = m_roundStart - by;
    m_lastAcknowledgement = m_lastAcknowledgement - by;
    m_cubic.MoveBack(by);
}

void
StockWindow::Acknowledge(const AcknowledgedTrain& train,
                         std::int64_t sent,
                         std::int64_t /*inFlight*/,
                         bool grows)
{
    m_hasAcknowledgement = true;
    if (StaysAsItIs() || !grows)
    {
        return;
    }
    const auto bytes = static_cast<double>(train.bytes);
    const double inSlowStart = m_inSlowStart ? BytesInSlowStart(train, sent) : 0;
    m_acknowledged += train.bytes;
    m_bytes += inSlowStart;
    if (m_bytes < m_threshold)
    {
        m_bytes = std::min(m_threshold, m_bytes + bytes); // slow start after a timeout
    }
    else if (inSlowStart < bytes)
    {
        const double segments = std::floor(m_bytes / static_cast<double>(m_settings.segment));
        m_bytes += (bytes - inSlowStart) /
                   m_cubic.SegmentsForOneMore(train.firstAcknowledged, segments, m_leastRoundTrip);
    }
    m_bytes = std::min(m_bytes, limitsKept * static_cast<double>(m_settings.limit));
}

/// Returns the bytes of the train that are acknowledged before slow start ends.
double
StockWindow::BytesInSlowStart(const AcknowledgedTrain& train, std::int64_t sent)
{
    const auto bytes = static_cast<double>(train.bytes);
    if (m_settings.segment == 0)
    {
        return bytes;
    }
    const double share = HyStartEnd(train, sent);
    if (share > 1)
    {
        return bytes;
    }
    m_inSlowStart = false;
    m_cubic.Begin(train.firstAcknowledged,
                  std::floor((m_bytes + share * bytes) / static_cast<double>(m_settings.segment)));
    return share * bytes;
}

/// Returns the share of the train after which HyStart ends slow start; above 1 if it doesn't.
double
StockWindow::HyStartEnd(const AcknowledgedTrain& train, std::int64_t sent)
{
    const double low = lowWindowSegments * static_cast<double>(m_settings.segment);
    double share = 2; // beyond the train
    // The first acknowledgement of a round still counts for the one before.
    const double gap = Nanoseconds(train.firstAcknowledged - m_lastAcknowledgement);
    if (m_hasRound && m_bytes >= low && gap <= ackDelta)
    {
        m_lastAcknowledgement = train.firstAcknowledged;
        if (Nanoseconds(train.firstAcknowledged - m_roundStart) > m_leastRoundTrip)
        {
            share = 0;
        }
    }
    if (m_acknowledged >= m_roundEnd)
    {
        m_hasRound = true;
        m_roundEnd = sent;
        m_roundStart = train.firstAcknowledged;
        m_lastAcknowledgement = train.firstAcknowledged;
        m_roundTripOfRound = 0;
        m_samples = 0;
    }
    share = std::min(share, DelayEnd(train)); // also measures the round trip that TrainEnd needs
    return std::min(share, TrainEnd(train));
}

/// Returns the share of the train that was acknowledged at `at`.
double
StockWindow::ShareUntil(const AcknowledgedTrain& train, Instant at) const
{
    const double length = Nanoseconds(train.lastAcknowledged - train.firstAcknowledged);
    const double passed = Nanoseconds(at - train.firstAcknowledged);
    return length > 0 ? std::max(0.0, passed / length) : (passed > 0 ? 2.0 : 0.0);
}

/// Returns the share of the train after which the round's acknowledgements, each within 2 ms of the
/// last, are a round trip long.
double
StockWindow::TrainEnd(const AcknowledgedTrain& train)
{
    const auto bytes = static_cast<double>(train.bytes);
    const double low = lowWindowSegments * static_cast<double>(m_settings.segment);
    // HyStart sees an acknowledgement before the window grows by it.
    const auto count = static_cast<double>(train.acknowledgements);
    const double lowShare = std::ceil(std::max(0.0, (low - m_bytes) / bytes) * count + 1) / count;
    const double length = Nanoseconds(train.lastAcknowledged - train.firstAcknowledged);
    const double pause = Nanoseconds(train.pause);
    const double gap = pause + (length - pause) / count;
    const double sinceLast = Nanoseconds(train.firstAcknowledged - m_lastAcknowledgement);
    if (lowShare > 1 || gap > ackDelta || sinceLast + lowShare * length > ackDelta)
    {
        return 2;
    }
    m_lastAcknowledgement = train.lastAcknowledged;
    const auto roundTrip = Duration::Nanoseconds(static_cast<std::int64_t>(m_leastRoundTrip) + 1);
    return std::max(lowShare, ShareUntil(train, m_roundStart + roundTrip));
}

/// Returns the share of the train after which the least round trip of the round's first samples is
/// too long.
double
StockWindow::DelayEnd(const AcknowledgedTrain& train)
{
    const auto bytes = static_cast<double>(train.bytes);
    const double low = lowWindowSegments * static_cast<double>(m_settings.segment);
    const double first = Nanoseconds(train.firstAcknowledged - train.firstSent);
    const double last = Nanoseconds(train.lastAcknowledged - train.lastSent);
    const auto count = static_cast<double>(train.acknowledgements);
    for (double sample = 0; sample < count; ++sample)
    {
        const double share = (sample + 1) / count;
        const double measured = first + (last - first) * share;
        m_smoothedRoundTrip =
            m_smoothedRoundTrip > 0
                ? m_smoothedRoundTrip + roundTripGain * (measured - m_smoothedRoundTrip)
                : measured;
        const double whole = std::max(
            leastMeasured, std::floor(m_smoothedRoundTrip / timestampUnit) * timestampUnit);
        m_leastRoundTrip = m_leastRoundTrip > 0 ? std::min(m_leastRoundTrip, whole) : whole;
        if (m_bytes + sample / count * bytes < low)
        {
            continue;
        }
        if (m_samples < minSamples)
        {
            m_roundTripOfRound = m_samples++ > 0 ? std::min(m_roundTripOfRound, m_smoothedRoundTrip)
                                                 : m_smoothedRoundTrip;
        }
        else if (m_roundTripOfRound >
                 m_leastRoundTrip + std::clamp(m_leastRoundTrip, delayMin, delayMax))
        {
            return share;
        }
    }
    return 2;
}

} // namespace geotrain
