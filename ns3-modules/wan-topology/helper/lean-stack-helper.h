// SPDX-License-Identifier: GPL-2.0-only
// Installs what InternetStackHelper installs for IPv4, with LeanIpv4L3Protocol in place of ns-3's
// own protocol. There is no IPv6.
#pragma once

#include <ns3/ipv4-routing-helper.h>
#include <ns3/node-container.h>

#include <memory>

namespace ns3
{

/// LeanStackHelper gives nodes an IPv4 stack.
class LeanStackHelper
{
  public:
    /// Routes as InternetStackHelper does by default: by a list of static and global routing.
    LeanStackHelper();

    /// Routes by another protocol. Only Ipv4StaticRouting and Ipv4ListRouting leave the short way
    /// open.
    explicit LeanStackHelper(const Ipv4RoutingHelper& routing);

    /// Installs the stack on nodes that have none.
    void Install(const NodeContainer& nodes) const;

  private:
    std::shared_ptr<const Ipv4RoutingHelper> m_routing;
};

} // namespace ns3
