// SPDX-License-Identifier: GPL-2.0-only
// The congestion window of an ns-3 3.37 socket with TcpCubic on a path without loss. Slow start
// counts bytes (RFC 3465). Cubic's HyStart ends it (Ha and Rhee, Taming the elephants, section 4)
// when a train of acknowledgements is as long as the round trip, or when the delay has doubled.
// Then Cubic grows the window (RFC 8312, section 4.1). ns-3 grows it even while the application
// limits it, keeps it when idle, and does not pace it. Loss is ignored.
#pragma once

#include "analytic/congestion-window.h"
#include "analytic/cubic-growth.h"

namespace geotrain
{

/// StockWindow is the congestion window of one of ns-3's own sockets.
class StockWindow : public CongestionWindow
{
  public:
    explicit StockWindow(const Settings& settings);

    std::int64_t Size() const override;
    void Acknowledge(const AcknowledgedTrain& train,
                     std::int64_t sent,
                     std::int64_t inFlight,
                     bool grows) override;
    void Reduce(double share, std::int64_t inFlight) override;
    void Collapse() override;
    Duration Timeout() const override;
    void MoveBack(Duration by) override;

  private:
    bool StaysAsItIs() const;
    double HyStartEnd(const AcknowledgedTrain& train, std::int64_t sent);
    double BytesInSlowStart(const AcknowledgedTrain& train, std::int64_t sent);
    double TrainEnd(const AcknowledgedTrain& train);
    double DelayEnd(const AcknowledgedTrain& train);
    double ShareUntil(const AcknowledgedTrain& train, Instant at) const;

    Settings m_settings;
    double m_bytes = 0;
    double m_threshold = 0; ///< bytes at which slow start after a timeout ends
    std::int64_t m_acknowledged = 0;
    bool m_hasAcknowledgement = false;
    bool m_inSlowStart = true;

    std::int64_t m_roundEnd = -1; ///< bytes sent when the round began
    Instant m_roundStart;
    Instant m_lastAcknowledgement; ///< last acknowledgement of the round's train of them
    bool m_hasRound = false;
    double m_smoothedRoundTrip = 0; ///< ns; 0: no sample
    double m_leastRoundTrip = 0;    ///< least smoothed round trip in ns, in whole ms
    double m_roundTripOfRound = 0;  ///< least of the round's first samples in ns
    int m_samples = 0;

    CubicGrowth m_cubic;
};

} // namespace geotrain
