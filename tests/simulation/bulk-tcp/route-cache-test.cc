// SPDX-License-Identifier: GPL-2.0-only
// A connection keeps a static route for 10 ms and then sees a change of it.
#include "bulk-tcp/model/route-cache.h"

#include <gtest/gtest.h>

#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/simple-net-device.h>
#include <ns3/simulator.h>

namespace
{

using namespace ns3;

class RouteCacheTest : public testing::Test
{
  public:
    RouteCacheTest()
    {
        const Ptr<Node> node = CreateObject<Node>();
        InternetStackHelper().Install(node);
        const Ptr<SimpleNetDevice> device = CreateObject<SimpleNetDevice>();
        node->AddDevice(device);
        m_ipv4 = node->GetObject<Ipv4>();
        m_interface = m_ipv4->AddInterface(device);
        m_ipv4->AddAddress(m_interface, Ipv4InterfaceAddress("10.0.0.1", "255.255.255.0"));
        m_ipv4->SetUp(m_interface);
        m_routing = Ipv4StaticRoutingHelper().GetStaticRouting(m_ipv4);
        m_header.SetDestination("10.9.9.9");
    }

    ~RouteCacheTest() override
    {
        Simulator::Destroy();
    }

    void RouteVia(const char* gateway)
    {
        m_routing->AddHostRouteTo(m_header.GetDestination(), gateway, m_interface);
    }

    void RemoveLastRoute()
    {
        m_routing->RemoveRoute(m_routing->GetNRoutes() - 1);
    }

    Ptr<Ipv4Route> Find()
    {
        return m_cache.Find(m_ipv4, Create<Packet>(), m_header, nullptr);
    }

    static void Pass(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

  private:
    Ptr<Ipv4> m_ipv4;
    std::uint32_t m_interface = 0;
    Ptr<Ipv4StaticRouting> m_routing;
    Ipv4Header m_header;
    RouteCache m_cache;
};

TEST_F(RouteCacheTest, SeesAChangeAfterTenMilliseconds)
{
    RouteVia("10.0.0.2");
    EXPECT_EQ(Find()->GetGateway(), Ipv4Address("10.0.0.2"));
    RemoveLastRoute();
    RouteVia("10.0.0.3");
    Pass(MilliSeconds(9));
    EXPECT_EQ(Find()->GetGateway(), Ipv4Address("10.0.0.2"));
    Pass(MilliSeconds(1));
    EXPECT_EQ(Find()->GetGateway(), Ipv4Address("10.0.0.3"));
}

TEST_F(RouteCacheTest, FindsARouteAsSoonAsThereIsOne)
{
    EXPECT_FALSE(Find());
    RouteVia("10.0.0.2");
    EXPECT_TRUE(Find());
    RemoveLastRoute();
    Pass(MilliSeconds(10));
    EXPECT_FALSE(Find());
}

} // namespace
