// SPDX-License-Identifier: GPL-2.0-only
// What carries a run's messages over a WAN: the links that are made of a topology, and the TCP over
// them. There are three: express (bulk-tcp over light links), device (bulk-tcp over ns-3 devices)
// and stock (ns-3's TCP over them).
#pragma once

#include "training-network/helper/transport-options.h"
#include "training-network/model/message-transport.h"
#include "wan-topology/model/wan-links.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class Bearer
{
  public:
    virtual ~Bearer() = default;

    virtual WanLinks& Links() = 0;

    /// Connects the nodes of the topology. The bearer outlives the transport. Throws
    /// geotrain::ConfigError for options out of their range.
    virtual std::unique_ptr<MessageTransport> MakeTransport(const TransportOptions& options) = 0;

    /// A file that others send from the router of a site to that of another, over a TCP connection
    /// of its own.
    struct SiteFile
    {
        std::uint32_t from = 0; ///< site
        std::uint32_t to = 0;   ///< site
        std::uint64_t bytes = 1;
        std::string congestionControl; ///< TypeId
        geotrain::Bytes window;
        std::int64_t stream = 0; ///< of the control's random draws
    };

    /// Nobody is told when the file is through. Ends the program where BearerFeature::CrossTraffic
    /// is missing.
    virtual void SendFile(const SiteFile& file);
};

/// What a scenario may ask for and not every bearer has.
enum class BearerFeature
{
    Ns3Devices,  ///< with ns-3's IPv4, sockets and queue discs
    BulkTcp,     ///< bulk-tcp, with what ns-3's TCP lacks: HyStart++, tail loss probes, autotuning
    Rival,       ///< a second network on the same links
    CrossTraffic ///< Bearer::SendFile
};

/// A row of the table of bearers.
struct BearerKind
{
    std::string name; ///< as on the command line; a scenario writes it in upper case
    std::set<BearerFeature> features;
    std::unique_ptr<Bearer> (*make)(const geotrain::WanTopology& topology, const std::string& file);

    bool Has(BearerFeature feature) const;
    std::string NameInScenario() const;
};

const std::vector<BearerKind>& BearerKinds();

/// Throws std::invalid_argument that says which there are.
const BearerKind& FindBearer(const std::string& name);

/// The bearers with `feature`, as a scenario writes them: "EXPRESS or DEVICE".
std::string BearersWith(BearerFeature feature);

/// Throws geotrain::ConfigError that names the bearers which can do what `topology` asks for, if
/// `kind` can't. `file` is named by errors.
void CheckTopology(const BearerKind& kind,
                   const geotrain::WanTopology& topology,
                   const std::string& file);

/// Makes the links of `topology`. Throws geotrain::ConfigError where it is not valid or asks for
/// what the bearer can't do, and std::invalid_argument for an unknown name.
std::unique_ptr<Bearer> MakeBearer(const std::string& name,
                                   const geotrain::WanTopology& topology,
                                   const std::string& file = "");

} // namespace ns3
