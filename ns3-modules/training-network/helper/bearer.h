// SPDX-License-Identifier: GPL-2.0-only
// Defines what carries a run's messages over a WAN: the links made from a topology, and the TCP
// over them. bearer-kinds.h lists the bearers.
#pragma once

#include "training-network/helper/transport-options.h"
#include "training-network/model/message-transport.h"
#include "wan-topology/model/wan-links.h"

#include <ns3/fatal-error.h>

#include <memory>
#include <string>

namespace ns3
{

/// A Bearer holds the links of one WAN and makes transports over them.
class Bearer
{
  public:
    virtual ~Bearer() = default;

    virtual WanLinks& Links() = 0;

    /// Makes a transport that connects the nodes of the topology. The bearer outlives the
    /// transport. Throws geotrain::ConfigError for options out of their range.
    virtual std::unique_ptr<MessageTransport> MakeTransport(const TransportOptions& options) = 0;

    /// Returns why the result of a run that has ended is not to be trusted; empty where it is. What
    /// is before the first colon says it shortly.
    virtual std::string Doubt()
    {
        return "";
    }

    /// SiteFile is a file of cross traffic, sent from the router of one site to that of another
    /// over a TCP connection of its own.
    struct SiteFile
    {
        std::uint32_t from = 0; ///< site
        std::uint32_t to = 0;   ///< site
        std::uint64_t bytes = 1;
        std::string congestionControl; ///< TypeId
        geotrain::Bytes window;
        std::int64_t stream = 0; ///< number of the control's random stream
        std::optional<TcpPreset> preset = {}; ///< not set: that of the attributes
    };

    /// Sends a file. Nobody is told when it has arrived. Ends the program for a bearer without
    /// BearerFeature::CrossTraffic, which whoever asks looks at first.
    virtual void SendFile(const SiteFile& /*file*/)
    {
        NS_FATAL_ERROR("this bearer carries no cross traffic");
    }
};

} // namespace ns3
