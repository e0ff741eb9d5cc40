// SPDX-License-Identifier: GPL-2.0-only
// An Ipv4QueueDiscItem that knows its size. Queue discs read the size a dozen times per packet, and
// ns-3's own item adds it up each time from the packet and the header.
#pragma once

#include <ns3/ipv4-queue-disc-item.h>

namespace ns3
{

/// SizedQueueDiscItem is a queue disc's item with a stored size.
class SizedQueueDiscItem : public Ipv4QueueDiscItem
{
  public:
    SizedQueueDiscItem(Ptr<Packet> packet,
                       const Address& address,
                       uint16_t protocol,
                       const Ipv4Header& header)
        : Ipv4QueueDiscItem(packet, address, protocol, header),
          m_size(packet->GetSize() + header.GetSerializedSize())
    {
    }

    /// Returns the size with the IP header, whether it has been added yet or not.
    uint32_t GetSize() const override
    {
        return m_size;
    }

  private:
    std::uint32_t m_size;
};

} // namespace ns3
