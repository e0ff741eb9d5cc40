// SPDX-License-Identifier: GPL-2.0-only
// Finds the two directions of links that a directed graph has as edges of their own.
#pragma once

#include "wan/wan-topology.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace geotrain
{

/// A JoinedArc is one direction of a link, and the other where there is one; both are indices.
struct JoinedArc
{
    std::size_t forward = 0;
    std::optional<std::size_t> back;
};

/// Joins each arc with the first opposite one that is like it in rate, delay and loss, and then with
/// the first opposite one that is left. Arcs without an opposite come last.
std::vector<JoinedArc> JoinOpposites(const std::vector<WanTopology::Link>& arcs);

} // namespace geotrain
