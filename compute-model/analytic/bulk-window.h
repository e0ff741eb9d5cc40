// SPDX-License-Identifier: GPL-2.0-only
// The congestion window of a bulk-tcp connection with geotrain::TcpCubic or Reno. HyStart++ slows
// slow start down and ends it (RFC 9406), then CUBIC (RFC 9438) or Reno (RFC 5681) grows the window;
// only a window that is in use grows, and time without use is no time of growth. Pacing sends 2
// windows per smoothed round trip in slow start and 1.2 after it, in bursts of a millisecond. A
// pause halves the window once per retransmission timeout (RFC 6298) that it lasts (RFC 2861,
// section 3.1). It ignores timeouts, and the growth of the receive window, which keeps ahead of slow
// start.
#pragma once

#include "analytic/congestion-window.h"
#include "analytic/cubic-growth.h"

#include <limits>

namespace geotrain
{

/// BulkWindow is the congestion window of a bulk-tcp connection.
class BulkWindow : public CongestionWindow
{
  public:
    /// `handshake` is the time that the handshake takes before the first byte goes. `isReno` says
    /// that the window follows RFC 5681 instead of RFC 9438.
    BulkWindow(const Settings& settings, bool restartsAfterIdle, Duration handshake, bool isReno);

    std::int64_t Size() const override;
    void Acknowledge(const AcknowledgedTrain& train,
                     std::int64_t sent,
                     std::int64_t inFlight,
                     bool grows) override;
    void Open(Instant now) override;
    void RestartAfter(Duration idle, std::int64_t sent) override;
    void
    NoteSent(Instant now, std::int64_t bytes, std::int64_t sent, std::int64_t inFlight) override;
    void Reduce(double share, std::int64_t inFlight) override;
    void Collapse() override;
    Duration Timeout() const override;
    Duration ProbeTimeout() const override;
    Instant SendsFrom() const override;
    std::optional<Pacing> GetPacing() const override;
    void MoveBack(Duration by) override;

  private:
    /// Phase is a phase of HyStart++ (RFC 9406).
    enum class Phase
    {
        SlowStart,
        Conservative,
        Done
    };

    void MeasureRoundTrips(const AcknowledgedTrain& train, double count);
    void MeasureRoundTrip(double nanoseconds);
    void Grow(const AcknowledgedTrain& train, double count, std::int64_t una, std::int64_t sent);
    double Avoid(const AcknowledgedTrain& train, double bytes);
    double
    HyStart(const AcknowledgedTrain& train, double count, std::int64_t una, std::int64_t sent);
    void BeginRound(std::int64_t sent);
    void NoteUse(std::int64_t sent, std::int64_t inFlight);
    void UpdatePacing();
    double TimeoutInNanoseconds() const;

    static constexpr double s_none = std::numeric_limits<double>::infinity();

    Settings m_settings;
    bool m_restartsAfterIdle; ///< RFC 2861
    Duration m_handshake;
    bool m_isReno;
    double m_bytes = 0;
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

    Phase m_phase = Phase::SlowStart;
    std::int64_t m_roundEnd = 0;        ///< bytes sent when the round began
    double m_leastOfRound = s_none;     ///< least round trip of this round in ns
    double m_leastOfLastRound = s_none; ///< least round trip of the last round in ns
    double m_baseline = s_none;         ///< least round trip, in ns, when the delay rose
    double m_samples = 0;               ///< round trips measured in this round
    int m_conservativeRounds = 0;

    double m_pace = 0; ///< bytes per nanosecond; 0: not paced yet
    Instant m_pacedUntil;
    Instant m_burstEnd;
    double m_burst = 0; ///< bytes of the burst in progress
};

} // namespace geotrain
