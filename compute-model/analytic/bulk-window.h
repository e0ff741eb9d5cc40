// SPDX-License-Identifier: GPL-2.0-only
// The congestion window of a connection of bulk-tcp, with TcpCubic, on a path without loss: slow
// start, which HyStart++ slows down and ends (RFC 9406), then Cubic's growth; only a window that is
// in use grows. It is paced at 2 windows a smoothed round trip in slow start, 1.2 after it, in
// bursts of a millisecond. A pause of one or more retransmission timeouts (RFC 6298) halves it for
// each of them (RFC 2861, section 3.1). Ignored: loss, the receive window's growth (it keeps ahead
// of slow start).
#pragma once

#include "analytic/congestion-window.h"
#include "analytic/cubic-growth.h"

#include <limits>

namespace geotrain
{

class BulkWindow : public CongestionWindow
{
  public:
    /// `handshake`: before the first byte goes.
    BulkWindow(const Settings& settings, bool restartsAfterIdle, Duration handshake);

    std::int64_t Size() const override;
    void
    Acknowledge(const AcknowledgedTrain& train, std::int64_t sent, std::int64_t inFlight) override;
    void Open(Instant now) override;
    void RestartAfter(Duration idle, std::int64_t sent) override;
    void
    NoteSent(Instant now, std::int64_t bytes, std::int64_t sent, std::int64_t inFlight) override;
    Instant SendsFrom() const override;
    std::optional<Pacing> GetPacing() const override;
    void MoveBack(Duration by) override;

  private:
    enum class Phase
    {
        SlowStart,
        Conservative,
        Done
    };

    void MeasureRoundTrips(const AcknowledgedTrain& train, double count);
    void MeasureRoundTrip(double nanoseconds);
    void Grow(const AcknowledgedTrain& train, double count, std::int64_t una, std::int64_t sent);
    double
    HyStart(const AcknowledgedTrain& train, double count, std::int64_t una, std::int64_t sent);
    void BeginRound(std::int64_t sent);
    void UpdatePacing();
    double Timeout() const;

    static constexpr double s_none = std::numeric_limits<double>::infinity();

    Settings m_settings;
    bool m_restartsAfterIdle; ///< RFC 2861
    Duration m_handshake;
    double m_bytes = 0;
    double m_threshold = s_none; ///< bytes at which slow start ends
    bool m_hasSent = false;
    bool m_hasAcknowledgement = false;
    std::int64_t m_limitedUntil = -1; ///< of what was sent: where the window was full
    CubicGrowth m_cubic;

    double m_smoothed = 0; ///< ns; 0: not open
    double m_variation = 0;
    double m_least = s_none;

    Phase m_phase = Phase::SlowStart;
    std::int64_t m_roundEnd = 0; ///< of what was sent
    double m_leastOfRound = s_none;
    double m_leastOfLastRound = s_none;
    double m_baseline = s_none;
    double m_samples = 0;
    int m_conservativeRounds = 0;

    double m_pace = 0; ///< bytes per nanosecond; 0: not paced yet
    Instant m_pacedUntil;
    Instant m_burstEnd;
    double m_burst = 0; ///< bytes of the present one
};

} // namespace geotrain
