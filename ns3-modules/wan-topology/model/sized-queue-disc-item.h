// An Ipv4QueueDiscItem that knows its size. Queue discs ask for it a dozen times a packet, and
// ns-3's own adds it up each time from the packet and the header.
#pragma once

#include <ns3/ipv4-queue-disc-item.h>

namespace ns3
{

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

    /// With the IP header, be it added yet or not.
    uint32_t GetSize() const override
    {
        return m_size;
    }

  private:
    std::uint32_t m_size;
};

} // namespace ns3
