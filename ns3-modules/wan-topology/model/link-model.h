// One direction of a FIFO link as functions of time: packets wait in a drop-tail queue, are sent at the link's rate
// one after another, may be lost at random, and arrive a propagation delay after their last bit was sent. The queue
// is virtual: it is the time until the link is free. No clock, no event loop and no packet in here, so that a
// NetDevice and a lighter link can share it. Framing costs nothing: rates are those of IP packets.
#pragma once

#include "units/random-stream.h"
#include "wan-topology/model/growing-ring.h"
#include "wan-topology/model/queue-limit.h"
#include "wan-topology/model/transmission-clock.h"

#include <cstdint>
#include <string>

namespace ns3
{

class LinkModel
{
  public:
    struct Settings
    {
        geotrain::BitRate rate;   ///< positive
        geotrain::Duration delay; ///< at least 0
        QueueLimit queue;
        double lossRate = 0; ///< of packets, independent, in [0, 1)
        std::string name;    ///< names the stream of random losses
        std::uint64_t seed = 1;
    };

    enum class Verdict
    {
        Accepted,
        QueueFull, ///< dropped before the link
        Lost       ///< sent, but never arrives
    };

    struct Outcome
    {
        Verdict verdict = Verdict::Accepted;
        geotrain::Instant departure; ///< of the last bit; undefined for QueueFull
        geotrain::Instant arrival;   ///< of the last bit; undefined unless Accepted
    };

    struct Counters
    {
        std::uint64_t acceptedPackets = 0; ///< sent or to be sent, lost ones included
        std::int64_t acceptedBytes = 0;
        std::uint64_t queueDrops = 0;
        std::int64_t queueDropBytes = 0;
        std::uint64_t lostPackets = 0;
        std::int64_t lostBytes = 0;
        std::int64_t queueingNs = 0; ///< that accepted packets wait until they are sent, summed
    };

    explicit LinkModel(const Settings& settings);

    /// A packet of `size` comes to the link at `now`, which never goes back. It waits only where the link is busy.
    /// In packets the queue holds what waits behind the packet being sent; in bytes it holds all that is still to be
    /// sent, and an idle link takes any packet.
    Outcome Offer(geotrain::Instant now, geotrain::Bytes size);

    /// Bytes still to be sent.
    geotrain::Bytes Backlog(geotrain::Instant now) const;

    /// Bytes that have been put on the wire.
    geotrain::Bytes SentBytes(geotrain::Instant now) const;

    const Counters& GetCounters() const;
    const Settings& GetSettings() const;

  private:
    bool HasRoom(geotrain::Instant now, geotrain::Bytes size);
    bool CountsPackets() const;

    Settings m_settings;
    TransmissionClock m_clock;
    geotrain::RandomStream m_loss;
    GrowingRing<geotrain::Instant> m_departures; ///< to come; kept only for a limit in packets
    Counters m_counters;
};

} // namespace ns3
