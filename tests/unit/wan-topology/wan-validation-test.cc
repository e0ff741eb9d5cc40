// Every impossible value is refused with its file, field and rule.
#include "wan-topology/model/wan-validation.h"

#include "units/config-error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using ns3::WanTopology;

WanTopology
Valid()
{
    WanTopology topology;
    for (const char* name : {"east", "west"})
    {
        WanTopology::Site site;
        site.name = name;
        site.nodes = 2;
        site.nicRate = BitRate::GigabitsPerSecond(100);
        site.intraRate = site.nicRate;
        topology.sites.push_back(site);
    }
    WanTopology::Link link;
    link.to = 1;
    link.rate = BitRate::GigabitsPerSecond(100);
    link.delay = Duration::Milliseconds(20);
    topology.links.push_back(link);
    return topology;
}

/// What Validate says of a valid topology that `change` has spoiled; empty where it says nothing.
std::string
Complaint(const std::function<void(WanTopology&)>& change)
{
    WanTopology topology = Valid();
    change(topology);
    try
    {
        ns3::Validate(topology, "wan.textproto");
    }
    catch (const geotrain::ConfigError& error)
    {
        return error.what();
    }
    return "";
}

void
ExpectRefused(const std::string& field, const std::function<void(WanTopology&)>& change)
{
    const std::string complaint = Complaint(change);
    EXPECT_EQ(complaint.rfind("wan.textproto: " + field, 0), 0u) << "got: " << complaint;
}

TEST(Validate, AcceptsAValidTopology)
{
    EXPECT_EQ(Complaint([](WanTopology&) {}), "");
}

TEST(Validate, NamesFileFieldValueAndRule)
{
    EXPECT_EQ(Complaint([](WanTopology& t) { t.links[0].delay = Duration::Milliseconds(-3); }),
              "wan.textproto: wan_link[0].delay: \"-3ms\" must be >= 0 and <= 10 s");
}

TEST(Validate, RefusesImpossibleSites)
{
    ExpectRefused("site:", [](WanTopology& t) { t.sites.clear(); });
    ExpectRefused("site[1].name", [](WanTopology& t) { t.sites[1].name = "east"; });
    ExpectRefused("site[0].name", [](WanTopology& t) { t.sites[0].name = ""; });
    ExpectRefused("site[0].nic_rate", [](WanTopology& t) { t.sites[0].nicRate = BitRate(); });
    ExpectRefused("site[0].nic_rate",
                  [](WanTopology& t) { t.sites[0].nicRate = BitRate::BitsPerSecond(-1); });
    ExpectRefused("site[0].nic_rate",
                  [](WanTopology& t) { t.sites[0].nicRate = BitRate::GigabitsPerSecond(100001); });
    ExpectRefused("site[1].intra_rate",
                  [](WanTopology& t) { t.sites[1].intraRate = BitRate::GigabitsPerSecond(101); });
    ExpectRefused("site[1].intra_delay",
                  [](WanTopology& t) { t.sites[1].intraDelay = Duration::Seconds(11); });
    ExpectRefused("site[1].nodes", [](WanTopology& t) { t.sites[1].nodes = 4095; });
}

TEST(Validate, RefusesImpossibleLinks)
{
    ExpectRefused("wan_link[0].to", [](WanTopology& t) { t.links[0].to = 0; });
    ExpectRefused("wan_link[0].to", [](WanTopology& t) { t.links[0].to = 2; });
    ExpectRefused("wan_link[0].rate", [](WanTopology& t) { t.links[0].rate = BitRate(); });
    ExpectRefused("wan_link[0].delay",
                  [](WanTopology& t) { t.links[0].delay = Duration::Seconds(10.1); });
    ExpectRefused("wan_link[0].loss_rate", [](WanTopology& t) { t.links[0].lossRate = 1; });
    ExpectRefused("wan_link[0].loss_rate", [](WanTopology& t) { t.links[0].lossRate = -0.1; });
    ExpectRefused("wan_link[0].loss_rate", [](WanTopology& t) { t.links[0].lossRate = NAN; });
    ExpectRefused("wan_link[0].queue", [](WanTopology& t) { t.links[0].queue.value = 0; });
    ExpectRefused("wan_link[0].queue", [](WanTopology& t) { t.links[0].queue.value = INFINITY; });
}

TEST(Validate, RefusesImpossibleCapsAndPackets)
{
    ExpectRefused("caps.node_pair", [](WanTopology& t) { t.caps.nodePair = BitRate(); });
    ExpectRefused("caps.node_egress",
                  [](WanTopology& t) { t.caps.nodeEgress = BitRate::BitsPerSecond(-5); });
    ExpectRefused("caps.node_ingress", [](WanTopology& t) { t.caps.nodeIngress = BitRate(); });
    ExpectRefused("caps.queue", [](WanTopology& t) { t.caps.queue.value = -1; });
    ExpectRefused("caps.policer_burst",
                  [](WanTopology& t)
                  {
                      t.caps.police = true;
                      t.caps.policerBurst = Bytes::Of(100);
                  });
    ExpectRefused("mtu", [](WanTopology& t) { t.mtu = Bytes::Of(575); });
    ExpectRefused("mtu", [](WanTopology& t) { t.mtu = Bytes::Of(65536); });
    ExpectRefused("port_queue", [](WanTopology& t) { t.portQueue = Bytes::Of(0); });
}

TEST(Validate, RefusesADataCentreOutOfReach)
{
    ExpectRefused("site[1]: \"west\" is a data centre that no path",
                  [](WanTopology& t) { t.links.clear(); });
}

TEST(Validate, LeavesTransitSitesOutOfReachAlone)
{
    EXPECT_EQ(Complaint(
                  [](WanTopology& t)
                  {
                      WanTopology::Site transit;
                      transit.name = "island";
                      t.sites.push_back(transit);
                  }),
              "");
}

} // namespace
