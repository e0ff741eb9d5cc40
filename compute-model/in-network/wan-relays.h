// SPDX-License-Identifier: GPL-2.0-only
// The relays of an in-network optimizer whose workers sit in several data centres: between the
// servers' data centre and each other one a pair per server and direction. Parameters cross once for
// all workers of a data centre, and so do the sums of their gradients.
#pragma once

#include "in-network/optimizer-sites.h"
#include "in-network/wan-relay.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// WanRelays own the relays of a run; they are none where there is one data centre.
class WanRelays
{
  public:
    /// The layer and the sites outlive the relays.
    WanRelays(MessageLayer& layer, OptimizerSites& sites, const WanRelay::FailureCallback& failed);

    /// Direction is which way a stream goes.
    enum class Direction
    {
        Parameters, ///< from a server to all data centres
        Gradients   ///< from all data centres to a server
    };

    /// Carries the next `length` bytes of the streams of `server`.
    void Carry(Direction direction, std::uint32_t server, Bytes length);

    /// Returns a count that grows as long as blocks come forward.
    std::int64_t Progress() const;

    /// Adds a line for each relay that waits.
    void ListWaits(std::vector<std::string>& waits) const;

  private:
    struct Relay
    {
        Direction direction;
        std::uint32_t server;
        std::string name; ///< "relays to b, parameters of server 0"
        std::unique_ptr<WanRelay> relay;
    };

    std::vector<Relay> m_relays;
};

} // namespace geotrain
