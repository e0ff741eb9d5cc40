// The congestion window of one connection as ns-3 3.37's TcpCubic opens it on a path without loss: slow start with bytes
// counted (RFC 3465), which Cubic's HyStart ends (Ha and Rhee, Taming the elephants, section 4: a train of acknowledgements as long as
// the round trip, or a delay that has doubled), then Cubic's growth (RFC 8312 section 4.1) with at most 20 acknowledged segments for
// one more. ns-3 grows it while the application limits, and keeps it when idle; bulk-tcp and Linux halve it for every retransmission
// timeout that passes in idleness (RFC 2861, section 3.1), and slow start goes on to three quarters of it. Loss is ignored.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <optional>

namespace geotrain
{

/// Bytes of a connection that left one after another, and their acknowledgements.
struct AcknowledgedTrain
{
    std::int64_t bytes = 0;
    Instant firstSent; ///< given to the network
    Instant lastSent;
    Instant firstAcknowledged;
    Instant lastAcknowledged;
    Duration pause; ///< between two of the acknowledgements, which else come evenly
};

class CongestionWindow
{
  public:
    struct Settings
    {
        std::int64_t initial = 0; ///< bytes; 0 or above the limit: the limit
        std::int64_t limit = 0;   ///< bytes in flight at most; 0: none
        std::int64_t firstFlight =
            0; ///< bytes before the first acknowledgement at most; 0: no such limit
        std::int64_t segment =
            0; ///< payload of a packet; 0: to the byte, and slow start ends at the limit alone
        bool restartsAfterIdle = false;
        bool hasHyStart = true; ///< Cubic's own; else slow start goes on to the limit
    };

    explicit CongestionWindow(const Settings& settings);

    /// Bytes that may be in flight.
    std::int64_t Size() const;

    /// `train` is the oldest that was not acknowledged; `sent` bytes were given to the network since the connection opened.
    void Acknowledge(const AcknowledgedTrain& train, std::int64_t sent);

    /// Everything is acknowledged, and nothing was sent for `idle`.
    void RestartAfter(Duration idle);

    /// Times lie `by` earlier from now on: the clock was reset.
    void MoveBack(Duration by);

  private:
    bool StaysAsItIs() const;
    double BytesToThreshold() const;
    double HyStartEnd(const AcknowledgedTrain& train, std::int64_t sent);
    double BytesInSlowStart(const AcknowledgedTrain& train, std::int64_t sent);
    double TrainEnd(const AcknowledgedTrain& train);
    double DelayEnd(const AcknowledgedTrain& train);
    double ShareUntil(const AcknowledgedTrain& train, Instant at) const;
    double SegmentsForOneMore(Instant now) const;

    Settings m_settings;
    double m_bytes = 0;
    std::int64_t m_acknowledged = 0;
    bool m_hasAcknowledgement = false;
    bool m_inSlowStart = true;
    double m_threshold = 0; ///< bytes at which slow start ends; 0: none

    std::int64_t m_roundEnd = -1; ///< what was sent when the round began
    Instant m_roundStart;
    Instant m_lastAcknowledgement; ///< of the round's train of acknowledgements
    bool m_hasRound = false;
    double m_smoothedRoundTrip = 0; ///< ns; 0: no sample
    double m_leastRoundTrip = 0;    ///< ns, of the smoothed ones, in whole ms
    double m_roundTripOfRound = 0;  ///< ns, the least of the round's first samples
    int m_samples = 0;

    std::optional<Instant> m_epochStart; ///< of Cubic's growth
    double m_origin = 0;                 ///< segments
};

} // namespace geotrain
