// SPDX-License-Identifier: GPL-2.0-only
// Cloud regions and the round-trip times between them, so that a scenario says `region: "eastus"`.
// Source: Skyplane's measurements (Jain et al., NSDI'23; Apache-2.0): the smallest of a series of
// pings between two VMs, the larger of the two directions, over the providers' premium networks. Of
// ordinary VMs over the public peering: a private backbone may be a little faster.
#pragma once

#include "units/duration.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct Region
{
    std::string name; ///< as the provider writes it: "eastus", "us-east-1"
    std::string provider;
    std::string place;
    std::string skyplaneName; ///< "azure:eastus"
};

const std::vector<Region>& Regions();

/// The index into Regions(), or nothing.
std::optional<std::size_t> FindRegion(const std::string& name);

/// Between two different regions (indices into Regions()).
Duration RegionRoundTrip(std::size_t a, std::size_t b);

/// What the figures rest on, in a line.
std::string RegionSource();

} // namespace geotrain
