// SPDX-License-Identifier: GPL-2.0-only
// Carries messages inside data centres by formula, over the NICs that the WAN's packets share: most
// packets of a training run never see the WAN. A message goes in pieces, each of which takes its place in
// the first-in-first-out queues of the source's NIC and of the port to the destination as its packets
// would, so that messages wait for packets and packets for messages. TCP is its window alone: nothing is
// lost, and windows neither open nor close.
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
    geotrain::Bytes window; ///< most bytes in flight of each
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
        geotrain::Duration back;      ///< their delay
        std::deque<Message> messages; ///< in the order of the calls, until they have arrived
        std::size_t sending = 0;      ///< index of the first that is not given whole
        geotrain::Bytes inFlight;
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
    void AddSite(std::uint32_t node, bool isSource, std::vector<LinkModel*>& way);
    geotrain::Bytes WireOf(geotrain::Bytes payload) const;
    void Pump(Pair& pair);
    void Enter(Piece piece);
    void Arrive(const Piece& piece);
    void TellFirstByte(const Pair& pair, geotrain::TransferNumber number);
    void
    TellOf(geotrain::TransferNumber number, const geotrain::TransferCallback& callback, Tell kind);

    geotrain::Clock& m_clock;
    WanLinks& m_links;
    geotrain::Bytes m_window; ///< of all connections of a pair
    std::uint32_t m_connections;
    std::map<std::pair<geotrain::NodeIndex, geotrain::NodeIndex>, std::unique_ptr<Pair>> m_pairs;
    /// Shapers of nodes whose rate inside their data centre is below their NIC's, by node and direction.
    std::map<std::pair<std::uint32_t, bool>, std::unique_ptr<LinkModel>> m_shapers;
    std::unordered_set<geotrain::TransferNumber> m_cancelled;
    geotrain::TransferNumber m_lastTransfer = 0;
    geotrain::NetworkCounters m_counters;
};

} // namespace ns3
