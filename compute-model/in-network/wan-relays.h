// SPDX-License-Identifier: GPL-2.0-only
// The relays of an in-network optimizer whose workers sit in several data centres: between the
// servers' data centre and each other one a pair per server and direction. Parameters cross once for
// all workers of a data centre, and so do the sums of their gradients.
#pragma once

#include "in-network/in-network-settings.h"
#include "in-network/wan-relay.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// WanRelays own the relays of a run.
class WanRelays
{
  public:
    /// Returns a relay's end of the streams of `server` in a data centre, for the index of the other
    /// data centre in InNetworkWan::sites.
    using EndOf = std::function<StreamEnd&(std::size_t site, std::uint32_t server)>;

    /// `home` gives the ends in the servers' data centre, `edge` those in the others. The layer and
    /// the ends outlive the relays.
    WanRelays(MessageLayer& layer,
              const InNetworkWan& wan,
              std::uint32_t servers,
              const EndOf& home,
              const EndOf& edge,
              const WanRelay::FailureCallback& failed);

    /// Carries the next `length` bytes of parameters of `server` to all data centres.
    void Pull(std::uint32_t server, Bytes length);

    /// Carries the next `length` bytes of gradients from all data centres to `server`.
    void Push(std::uint32_t server, Bytes length);

    /// Returns a count that grows as long as blocks come forward.
    std::int64_t Progress() const;

    /// Adds a line for each relay that waits.
    void ListWaits(std::vector<std::string>& waits) const;

  private:
    struct Relay
    {
        std::string name; ///< "relays to b, parameters of server 0"
        std::unique_ptr<WanRelay> relay;
    };

    using Relays = std::vector<Relay>; ///< by data centre

    std::vector<Relays> m_pulls;  ///< by server
    std::vector<Relays> m_pushes; ///< by server
};

} // namespace geotrain
