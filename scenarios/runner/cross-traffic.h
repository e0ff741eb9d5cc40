// Other people's traffic on a WAN: files that arrive between two sites by a Poisson process, of Pareto sizes, each over a
// TCP connection of its own from router to router. What a connection leaves behind stays in memory until the run ends.
#pragma once

#include "bulk-tcp/helper/express-wan.h"
#include "execution/clock.h"
#include "loader/cross-traffic-section.h"
#include "units/random-stream.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

class CrossTraffic : private ns3::BulkSenderEvents, private ns3::BulkReceiverEvents
{
  public:
    /// `wan` and `clock` outlive it, and it outlives the last event.
    CrossTraffic(const std::vector<CrossTrafficPair>& pairs,
                 std::uint64_t seed,
                 ns3::ExpressWan& wan,
                 Clock& clock);

    /// The first files arrive after now: none is on its way before.
    void Begin();

    /// That have arrived so far.
    std::uint64_t Files() const;
    std::uint64_t OfferedBytes() const;

  private:
    struct Pair
    {
        CrossTrafficPair description;
        RandomStream intervals;
        RandomStream sizes;
        Instant last; ///< arrival
        std::uint64_t files = 0;
    };

    void ScheduleNext(Pair& pair);
    void Arrive(Pair& pair);

    void OnSent(std::uint64_t message) override;
    void OnDrained(ns3::FlowNumber flow) override;
    void OnFailed(ns3::FlowNumber flow, std::uint64_t message) override;
    void OnFirstByte(std::uint64_t message) override;
    void OnDelivered(std::uint64_t message) override;

    ns3::ExpressWan& m_wan;
    Clock& m_clock;
    const ns3::BulkTcpOptions m_options = ns3::BulkTcpOptions::FromAttributes();
    std::vector<Pair> m_pairs;
    std::uint64_t m_files = 0;
    std::uint64_t m_bytes = 0;
};

/// When the next file of a pair arrives after `last`, given `exponential`, a draw of mean 1: the time at which the files
/// expected since `last` are that many. Instant::Never() where nothing is offered any more.
Instant NextArrival(const CrossTrafficPair& pair, Instant last, double exponential);

/// The size of a file, given `uniform` in (0, 1): Pareto, at least 1 byte and at most 1 TB.
std::uint64_t ParetoSize(const CrossTrafficPair& pair, double uniform);

} // namespace geotrain
