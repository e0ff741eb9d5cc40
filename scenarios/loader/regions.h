// SPDX-License-Identifier: GPL-2.0-only
// Lists cloud regions and the round-trip times between them, so that a scenario can say `region:
// "eastus"`. Source: Skyplane's measurements (Jain et al., NSDI'23; Apache-2.0) over the providers'
// premium networks. A round-trip time is the smallest of a series of pings between two VMs, and the
// larger of the two directions. The VMs are ordinary ones that use public peering; a private
// backbone may be a little faster.
#pragma once

#include "units/duration.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A Region is one region of a cloud provider.
struct Region
{
    std::string name; ///< name that the provider uses: "eastus", "us-east-1"
    std::string provider;
    std::string place;
    std::string skyplaneName; ///< name in Skyplane's measurements: "azure:eastus"
};

/// Returns all regions.
const std::vector<Region>& Regions();

/// Returns the index into Regions(), or nullopt for an unknown name.
std::optional<std::size_t> FindRegion(const std::string& name);

/// Returns the round-trip time between two different regions, given as indices into Regions().
Duration RegionRoundTrip(std::size_t a, std::size_t b);

/// Returns the source of the round-trip times in a line.
std::string RegionSource();

} // namespace geotrain
