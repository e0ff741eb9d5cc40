// SPDX-License-Identifier: GPL-2.0-only
// Finds the nodes that a user names: "dc-a/0" is the first node of the data centre dc-a.
#pragma once

#include "wan/wan-topology.h"

#include <cstdint>
#include <string>
#include <utility>

namespace geotrain
{

/// Returns the node called `name`. Throws ConfigError that names `option`, the option which gives it.
std::uint32_t
NodeCalled(const std::string& name, const WanTopology& topology, const std::string& option);

/// Returns the name of a node.
std::string NameOfNode(std::uint32_t node, const WanTopology& topology);

/// Returns `text` with the address of a node in place of its name in braces: "ping {dc-b/0}". Throws
/// ConfigError that names `option` for a node that is not there. Other braces stay.
std::string
WithAddresses(const std::string& text, const WanTopology& topology, const std::string& option);

/// Returns the node's name and the command of `text`, "NODE: COMMAND". Throws ConfigError that names
/// --exec where it has not both.
std::pair<std::string, std::string> NodeAndCommand(const std::string& text,
                                                   const WanTopology& topology);

} // namespace geotrain
