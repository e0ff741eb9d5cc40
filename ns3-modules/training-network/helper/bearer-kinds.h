// SPDX-License-Identifier: GPL-2.0-only
// The table of bearers. There are three: express (bulk-tcp over light links), device (bulk-tcp over
// ns-3 devices) and stock (ns-3's TCP over ns-3 devices).
#pragma once

#include "training-network/helper/bearer.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/// BearerFeature is a feature that a scenario may ask for and that not every bearer has.
enum class BearerFeature
{
    Ns3Devices,   ///< with ns-3's IPv4, sockets and queue discs
    BulkTcp,      ///< bulk-tcp, with what ns-3's TCP lacks: HyStart++, tail loss probes, autotuning
    Rival,        ///< a second network on the same links
    PacingRate,   ///< BulkTcpOverrides::mostPacingRate, of connections over the WAN
    CrossTraffic, ///< Bearer::SendFile
    OwnPaths,     ///< a cap, and a delay, of each connection's own
    AccurateEcn,  ///< RFC 9768, which a control may need
    Offload       ///< BulkTcpOverrides::offloads
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
