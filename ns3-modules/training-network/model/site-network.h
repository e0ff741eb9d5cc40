// SPDX-License-Identifier: GPL-2.0-only
// Carries messages inside data centres by formula, over the NICs that the WAN's packets share: most
// packets of a training run never see the WAN. A message goes in pieces, each of which takes its place in
// the first-in-first-out queues of the source's NIC and of the port to the destination as its packets
// would, so that messages wait for packets and packets for messages. Of TCP there are windows that open in slow
// start, anew after a rest, and acknowledgements that wait behind the data of the other direction. Nothing
// is lost: messages whose windows may fill a port are counted.
#pragma once

#include "execution/network.h"
#include "units/bytes.h"
#include "wan-topology/model/link-model.h"
#include "wan-topology/model/wan-links.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3
{

/// SiteConnections are the TCP connections of each node pair inside a data centre.
struct SiteConnections
{
    std::uint32_t count = 1;
    geotrain::Bytes window;        ///< most bytes in flight of all together
    geotrain::Bytes initialWindow; ///< of all together, down to which idleness shrinks them
    geotrain::Duration timeout;    ///< idleness that halves the windows; zero: they stay open
    double pacing = 0; ///< of the NIC's rate, at which a full window is sent; 0: at once
};

/// A SiteNetwork is the Network of pairs inside data centres.
class SiteNetwork : public geotrain::Network
{
  public:
    /// `links` must have queues of NICs that can be shared (WanLinks::NicQueue) and, like `clock`, outlive
    /// this.
    SiteNetwork(geotrain::Clock& clock, WanLinks& links, const SiteConnections& connections);
    ~SiteNetwork() override;

    const geotrain::NetworkKind& Kind() const override;
    geotrain::Clock& GetClock() override;
    std::uint32_t ConnectionsBetween(geotrain::NodeIndex source,
                                     geotrain::NodeIndex destination) const override;
    geotrain::TransferNumber Transfer(const geotrain::TransferRequest& request,
                                      geotrain::TransferCallback callback) override;
    void Cancel(geotrain::TransferNumber transfer) override;

    /// Does nothing: windows are open.
    void Prepare(const std::vector<WarmUp>& pairs) override;
    geotrain::NetworkCounters Counters() const override;
    bool SpreadsMessages(geotrain::NodeIndex source,
                         geotrain::NodeIndex destination) const override;

  private:
    /// A Message waits behind those of its pair that came before it.
    struct Message
    {
        geotrain::TransferNumber number = 0;
        geotrain::TransferCallback callback;
        geotrain::Bytes size;
        geotrain::Bytes piece; ///< size of its pieces but the last
        geotrain::Bytes given; ///< to the NIC
        geotrain::Bytes arrived;
    };

    /// A Pair is what a node has under way to another.
    struct Pair
    {
        std::vector<LinkModel*> way;  ///< queues, in their order
        LinkModel* backUp = nullptr;  ///< queues of acknowledgements
        LinkModel* backDown = nullptr;
        std::deque<Message> messages; ///< in the order of the calls, until they have arrived
        geotrain::Bytes waiting;      ///< of these, what has not arrived
        std::size_t sending = 0;      ///< index of the first that is not given whole
        geotrain::Bytes inFlight;
        geotrain::Bytes window; ///< of all its connections
        bool isLimited = false; ///< by the windows, since the last acknowledgement
        geotrain::Instant lastSent;
        geotrain::Instant paced; ///< when the next piece may be sent
        bool isWaiting = false;  ///< for that
    };

    /// A Piece is on its way.
    struct Piece
    {
        Pair* pair = nullptr;
        geotrain::Bytes payload;
        geotrain::Bytes wire;
        geotrain::TransferNumber begins = 0; ///< message whose first piece it is
        std::size_t queue = 0;    ///< index into its way: the next one
        geotrain::Instant arrival; ///< when its last bit comes there at the earliest, in the links' time
    };

    using Tell = geotrain::TransferEvent::Kind;

    Pair& PairOf(geotrain::NodeIndex source, geotrain::NodeIndex destination);
    bool MayFill(const std::vector<const Pair*>& pairs, int least) const;
    void AddSite(std::uint32_t node, bool isSource, std::vector<LinkModel*>& way);
    geotrain::Bytes WireOf(geotrain::Bytes payload) const;
    void Pump(Pair& pair);
    geotrain::Duration PacingTime(const Pair& pair, geotrain::Bytes wire) const;
    void WaitForPacing(Pair& pair);
    void Enter(Piece piece);
    void Arrive(const Piece& piece);
    void Acknowledge(Pair& pair, const Piece& piece);
    void OnAcknowledgement(Pair& pair, geotrain::Bytes payload);
    void RestartAfterIdle(Pair& pair) const;
    geotrain::Instant ArrivalBehind(LinkModel& queue, geotrain::Bytes size);
    void TellFirstByte(const Pair& pair, geotrain::TransferNumber number);
    void
    TellOf(geotrain::TransferNumber number, const geotrain::TransferCallback& callback, Tell kind);

    geotrain::Clock& m_clock;
    WanLinks& m_links;
    SiteConnections m_connections;
    std::map<std::pair<geotrain::NodeIndex, geotrain::NodeIndex>, std::unique_ptr<Pair>> m_pairs;
    /// Pairs that share a port, or the shaper of their source, by node and direction.
    std::map<std::pair<std::uint32_t, bool>, std::vector<const Pair*>> m_sharing;
    /// Shapers of nodes whose rate inside their data centre is below their NIC's, by node and direction.
    std::map<std::pair<std::uint32_t, bool>, std::unique_ptr<LinkModel>> m_shapers;
    std::unordered_set<geotrain::TransferNumber> m_cancelled;
    geotrain::TransferNumber m_lastTransfer = 0;
    geotrain::NetworkCounters m_counters;
};

} // namespace ns3
