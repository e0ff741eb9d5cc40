// SPDX-License-Identifier: GPL-2.0-only
// Computes the flow hash of ns-3's fair queue discs from the bytes of the packet. Without a filter
// they call Ipv4QueueDiscItem::Hash, which makes an object of each TCP option to read two ports.
// The flows are the same.
#pragma once

#include <ns3/ipv4-packet-filter.h>
#include <ns3/queue-disc.h>

#include <cstdint>

namespace ns3
{

/// FlowHashFilter is a packet filter that returns the flow hash.
class FlowHashFilter : public Ipv4PacketFilter
{
  public:
    static TypeId GetTypeId();

    /// Gives this filter to an FqCoDel, FqPie or FqCobalt queue disc that has no packet filter.
    /// Others are left as they are.
    static void Install(Ptr<QueueDisc> disc);

  private:
    int32_t DoClassify(Ptr<QueueDiscItem> item) const override;

    std::uint32_t m_perturbation = 0;
};

} // namespace ns3
