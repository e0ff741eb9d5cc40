// SPDX-License-Identifier: GPL-2.0-only
// The congestion window of a connection of ns-3 3.37's own sockets with TcpCubic on a path without
// loss: slow start with bytes counted (RFC 3465), which Cubic's HyStart ends (Ha and Rhee, Taming
// the elephants, section 4: a train of acknowledgements as long as the round trip, or a delay that
// has doubled), then Cubic's growth (RFC 8312 section 4.1). ns-3 grows it while the application
// limits, keeps it when idle, and does not pace it. Loss is ignored.
#pragma once

#include "analytic/congestion-window.h"
#include "analytic/cubic-growth.h"

namespace geotrain
{

class StockWindow : public CongestionWindow
{
  public:
    explicit StockWindow(const Settings& settings);

    std::int64_t Size() const override;
    void
    Acknowledge(const AcknowledgedTrain& train, std::int64_t sent, std::int64_t inFlight) override;
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
    std::int64_t m_acknowledged = 0;
    bool m_hasAcknowledgement = false;
    bool m_inSlowStart = true;

    std::int64_t m_roundEnd = -1; ///< what was sent when the round began
    Instant m_roundStart;
    Instant m_lastAcknowledgement; ///< of the round's train of acknowledgements
    bool m_hasRound = false;
    double m_smoothedRoundTrip = 0; ///< ns; 0: no sample
    double m_leastRoundTrip = 0;    ///< ns, of the smoothed ones, in whole ms
    double m_roundTripOfRound = 0;  ///< ns, the least of the round's first samples
    int m_samples = 0;

    CubicGrowth m_cubic;
};

} // namespace geotrain
