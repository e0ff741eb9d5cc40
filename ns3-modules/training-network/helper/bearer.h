// SPDX-License-Identifier: GPL-2.0-only
// Defines what carries a run's messages over a WAN: the links made from a topology, and the TCP
// over them. There are three bearers: express (bulk-tcp over light links), device (bulk-tcp over
// ns-3 devices) and stock (ns-3's TCP over ns-3 devices).
#pragma once

#include "training-network/helper/transport-options.h"
#include "training-network/model/message-transport.h"
#include "wan-topology/model/wan-links.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

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
    };

    /// Sends a file. Nobody is told when it has arrived. Ends the program for a bearer without
    /// BearerFeature::CrossTraffic.
    virtual void SendFile(const SiteFile& file);
};

/// BearerFeature is a feature that a scenario may ask for and that not every bearer has.
enum class BearerFeature
{
    Ns3Devices,  ///< with ns-3's IPv4, sockets and queue discs
    BulkTcp,     ///< bulk-tcp, with what ns-3's TCP lacks: HyStart++, tail loss probes, autotuning
    Rival,       ///< a second network on the same links
    CrossTraffic ///< Bearer::SendFile
};

/// BearerKind is a row of the table of bearers.
struct BearerKind
{
    std::string name; ///< name on the command line; a scenario writes it in upper case
    std::set<BearerFeature> features;
    std::function<std::unique_ptr<Bearer>(const geotrain::WanTopology& topology,
                                          const std::string& file)>
        make;

    bool Has(BearerFeature feature) const;
    std::string NameInScenario() const;
};

const std::vector<BearerKind>& BearerKinds();

/// Adds a bearer that only this process has, so that FindBearer() knows it. BearerKinds() does not
/// list it.
void AddBearer(BearerKind kind);

/// Returns the kind called `name`. Throws std::invalid_argument, which lists the names, if there is
/// none.
const BearerKind& FindBearer(const std::string& name);

/// Returns the bearers with `feature`, as a scenario writes them: "EXPRESS or DEVICE".
std::string BearersWith(BearerFeature feature);

/// Throws geotrain::ConfigError if `kind` can't do what `topology` asks for. The error names `file`
/// and the bearers that can.
void CheckTopology(const BearerKind& kind,
                   const geotrain::WanTopology& topology,
                   const std::string& file);

/// Makes the bearer called `name` with the links of `topology`. Throws geotrain::ConfigError if the
/// topology is not valid or asks for what the bearer can't do, and std::invalid_argument for an
/// unknown name.
std::unique_ptr<Bearer> MakeBearer(const std::string& name,
                                   const geotrain::WanTopology& topology,
                                   const std::string& file = "");

} // namespace ns3
