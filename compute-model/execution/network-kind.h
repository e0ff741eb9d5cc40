// SPDX-License-Identifier: GPL-2.0-only
// What is known of a network before one is made. A kind stands beside the network's class, and
// scenarios/loader/network-kinds.cc lists those that a scenario may name; everybody else asks.
#pragma once

#include <string>
#include <string_view>

namespace geotrain
{

/// A NetworkKind is one kind of network, such as the packet-level one.
struct NetworkKind
{
    std::string name; ///< "packet", "analytic": what traces, messages and the command line call it

    /// Whether messages travel as packets, which can be counted, dropped and sent again.
    bool hasPackets = false;

    /// Returns whether the network does not model what a scenario sets `field` to. `field` is a
    /// path of the scenario without indices ("wan_link.loss"), `value` is its text; it is empty for
    /// a whole section.
    bool (*ignores)(std::string_view field, std::string_view value) = nullptr;
};

} // namespace geotrain
