// SPDX-License-Identifier: GPL-2.0-only
// The congestion window of a bulk-tcp connection with geotrain::TcpCubic or Reno, of a Linux host that
// paces. HyStart ends slow start of CUBIC, then CUBIC or Reno (RFC 5681) grows the window;
// only a window that is in use grows, and time without use is no time of growth. Pacing sends 2
// windows per smoothed round trip in slow start and 1.2 after it, in bursts of a millisecond. A
// pause halves the window once per retransmission timeout (RFC 6298) that it lasts (RFC 2861,
// section 3.1). It ignores timeouts, and the growth of the receive window, which keeps ahead of slow
// start.
#pragma once

#include "analytic/analytic-path.h"
#include "analytic/cubic-growth.h"
#include "analytic/train.h"

#include <cstdint>
#include <limits>

namespace geotrain
{

/// How a window goes on.
struct Pacing
{
    double window = 0;      ///< bytes of the window, even beyond what may be in flight
    double rate = 0;        ///< bytes per nanosecond; 0: no acknowledgement has come
    double roundTrip = 0;   ///< smoothed round trip in ns
    double leftOfBurst = 0; ///< bytes left of the burst in progress
    bool hasSent = false;
    double segment = 1; ///< payload of a packet in bytes
    double limit = 0;   ///< most bytes in flight
};

/// A CongestionWindow is the window of one connection: how much it may have in flight, and when.
class CongestionWindow
{
  public:
    /// `handshake` is the time that the handshake takes before the first byte goes.
    CongestionWindow(const AnalyticConnection& settings, Duration handshake);

    /// Returns the bytes that may be in flight.
    std::int64_t Size() const;

    /// Notes that a train is acknowledged, the oldest that was not. `sent` bytes were given to the
    /// network since the connection opened. `inFlight` of them are not acknowledged, without this
    /// train. `grows` is false where the window is being reduced.
    void Acknowledge(const AcknowledgedTrain& train,
                     std::int64_t sent,
                     std::int64_t inFlight,
                     bool grows);

    /// Notes that the connection has something to send for the first time.
    void Open(Instant now);

    /// Notes that everything is acknowledged and nothing was sent for `idle`.
    void RestartAfter(Duration idle);

    /// Notes that the last `bytes` of `sent` went to the network at `now`; `inFlight` includes
    /// them.
    void NoteSent(Instant now, std::int64_t bytes, std::int64_t sent, std::int64_t inFlight);

    /// Reduces the window after a loss, for a `share` of the connections for which it stands.
    /// `inFlight` bytes are not acknowledged.
    void Reduce(double share, std::int64_t inFlight);

    /// Reduces the window to a segment after a retransmission timeout, and what slow start grows it
    /// to remains.
    void Collapse();

    /// Returns how long a connection waits for an acknowledgement before it sends everything again.
    Duration Timeout() const;

    /// Returns how long it waits before it probes for the loss of the last that it sent.
    Duration ProbeTimeout() const;

    /// Returns the time before which nothing may be sent.
    Instant SendsFrom() const;

    Pacing GetPacing() const;

    /// Moves all stored times back by `by`, since the clock was reset.
    void MoveBack(Duration by);

  private:
    void MeasureRoundTrips(const AcknowledgedTrain& train, double count);
    void MeasureRoundTrip(double nanoseconds);
    void Grow(const AcknowledgedTrain& train, double count, std::int64_t una, std::int64_t sent);
    double Avoid(const AcknowledgedTrain& train, double bytes);
    bool
    HyStartEnds(const AcknowledgedTrain& train, double count, std::int64_t una, std::int64_t sent);
    void NoteUse(std::int64_t sent, std::int64_t inFlight);
    void UpdatePacing();
    double TimeoutInNanoseconds() const;

    static constexpr double s_none = std::numeric_limits<double>::infinity();

    std::int64_t m_segment; ///< bytes, positive
    std::int64_t m_limit;   ///< most bytes in flight
    std::int64_t m_initial; ///< bytes
    std::int64_t m_firstFlight;
    bool m_restartsAfterIdle; ///< RFC 2861
    bool m_isReno;
    bool m_hasHyStart;
    double m_mostPace; ///< bytes per nanosecond
    Duration m_handshake;
    double m_bytes;
    double m_threshold = s_none; ///< bytes at which slow start ends
    bool m_hasSent = false;
    bool m_hasAcknowledgement = false;
    bool m_isLimited = false;        ///< the window was full in the last window of data
    std::int64_t m_mostOut = 0;      ///< bytes in flight, at most, in that window
    std::int64_t m_usageEnd = 0;     ///< a new window of data begins when this is acknowledged
    bool m_hasAnswered = true;       ///< something was sent since the last acknowledgement
    std::int64_t m_answeredFrom = 0; ///< bytes acknowledged when the first answer could leave
    CubicGrowth m_cubic;
    bool m_wasLimited = true;   ///< at the last acknowledgement
    Instant m_lastAcknowledged; ///< when it came

    double m_smoothed = 0;   ///< smoothed round trip in ns; 0: the connection isn't open
    double m_variation = 0;  ///< variation of the round trip in ns
    double m_least = s_none; ///< least round trip in ns

    std::int64_t m_roundEnd = 0;    ///< bytes sent when the round began
    double m_leastOfRound = s_none; ///< least round trip of this round in ns
    double m_samples = 0;           ///< round trips measured in this round
    Instant m_roundBegin;
    Instant m_trainEnd; ///< when the last acknowledgement of the round's first train came

    double m_pace = 0; ///< bytes per nanosecond; 0: not paced yet
    Instant m_pacedUntil;
    Instant m_burstEnd;
    double m_burst = 0; ///< bytes of the burst in progress
};

} // namespace geotrain
