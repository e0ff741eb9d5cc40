// SPDX-License-Identifier: GPL-2.0-only
// The filter of fair queue discs sorts packets into the same flows as ns-3's own hash.
#include "wan-topology/model/flow-hash-filter.h"

#include <gtest/gtest.h>

#include <ns3/fifo-queue-disc.h>
#include <ns3/fq-codel-queue-disc.h>
#include <ns3/ipv4-queue-disc-item.h>
#include <ns3/tcp-header.h>
#include <ns3/uinteger.h>

namespace
{

using namespace ns3;

Ptr<Ipv4QueueDiscItem>
Segment(std::uint16_t port)
{
    TcpHeader tcp;
    tcp.SetSourcePort(port);
    tcp.SetDestinationPort(5000);
    const Ptr<Packet> packet = Create<Packet>(1000);
    packet->AddHeader(tcp);
    Ipv4Header ip;
    ip.SetSource("10.0.0.1");
    ip.SetDestination("10.0.3.2");
    ip.SetProtocol(6);
    return Create<Ipv4QueueDiscItem>(packet, Address(), 0x0800, ip);
}

TEST(FlowHashFilter, SortsAsIpv4QueueDiscItemDoes)
{
    constexpr std::uint32_t perturbation = 0x12345678;
    const Ptr<FqCoDelQueueDisc> disc = CreateObject<FqCoDelQueueDisc>();
    disc->SetAttribute("Perturbation", UintegerValue(perturbation));
    FlowHashFilter::Install(disc);
    for (std::uint16_t port = 49000; port < 49100; ++port)
    {
        const Ptr<Ipv4QueueDiscItem> item = Segment(port);
        EXPECT_EQ(static_cast<std::uint32_t>(disc->Classify(item)), item->Hash(perturbation));
    }
}

TEST(FlowHashFilter, LeavesOtherQueueDiscsAndUsersFiltersAlone)
{
    const Ptr<FifoQueueDisc> fifo = CreateObject<FifoQueueDisc>();
    FlowHashFilter::Install(fifo);
    EXPECT_EQ(fifo->GetNPacketFilters(), 0U);
    const Ptr<FqCoDelQueueDisc> fair = CreateObject<FqCoDelQueueDisc>();
    fair->AddPacketFilter(CreateObject<FlowHashFilter>());
    FlowHashFilter::Install(fair);
    EXPECT_EQ(fair->GetNPacketFilters(), 1U);
}

} // namespace
