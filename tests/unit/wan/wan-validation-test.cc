// SPDX-License-Identifier: GPL-2.0-only
// Every impossible value is refused with its file, field and rule.
#include "wan/wan-validation.h"

#include "units/config-error.h"
#include "wan/impairment-validation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::WanTopology;

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

/// Returns the error of Validate for a valid topology that `change` has spoiled; empty if there is
/// none.
std::string
Complaint(const std::function<void(WanTopology&)>& change)
{
    WanTopology topology = Valid();
    change(topology);
    try
    {
        geotrain::Validate(topology, "wan.textproto");
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
    ExpectRefused("data_center:", [](WanTopology& t) { t.sites.clear(); });
    ExpectRefused("data_center[1].name", [](WanTopology& t) { t.sites[1].name = "east"; });
    ExpectRefused("data_center[0].name", [](WanTopology& t) { t.sites[0].name = ""; });
    ExpectRefused("data_center[0].nic_rate",
                  [](WanTopology& t) { t.sites[0].nicRate = BitRate(); });
    ExpectRefused("data_center[0].nic_rate",
                  [](WanTopology& t) { t.sites[0].nicRate = BitRate::BitsPerSecond(-1); });
    ExpectRefused("data_center[0].nic_rate",
                  [](WanTopology& t) { t.sites[0].nicRate = BitRate::GigabitsPerSecond(100001); });
    ExpectRefused("data_center[1].intra_rate",
                  [](WanTopology& t) { t.sites[1].intraRate = BitRate::GigabitsPerSecond(101); });
    ExpectRefused("data_center[1].intra_delay",
                  [](WanTopology& t) { t.sites[1].intraDelay = Duration::Seconds(11); });
    ExpectRefused("data_center[1].nodes", [](WanTopology& t) { t.sites[1].nodes = 4095; });
}

TEST(Validate, RefusesImpossibleLinks)
{
    ExpectRefused("wan_link[0].to", [](WanTopology& t) { t.links[0].to = 0; });
    ExpectRefused("wan_link[0].to", [](WanTopology& t) { t.links[0].to = 2; });
    ExpectRefused("wan_link[0].rate", [](WanTopology& t) { t.links[0].rate = BitRate(); });
    ExpectRefused("wan_link[0].delay",
                  [](WanTopology& t) { t.links[0].delay = Duration::Seconds(10.1); });
    ExpectRefused("wan_link[0].loss", [](WanTopology& t) { t.links[0].lossRate = 1; });
    ExpectRefused("wan_link[0].loss", [](WanTopology& t) { t.links[0].lossRate = -0.1; });
    ExpectRefused("wan_link[0].loss", [](WanTopology& t) { t.links[0].lossRate = NAN; });
    ExpectRefused("wan_link[0].queue", [](WanTopology& t) { t.links[0].queue.value = 0; });
    ExpectRefused("wan_link[0].queue", [](WanTopology& t) { t.links[0].queue.value = INFINITY; });
}

/// Makes a valid link with every impairment on it.
void
Impair(WanTopology::Link& link)
{
    link.red = geotrain::RedSettings();
    link.policer = geotrain::PolicerSettings{BitRate::GigabitsPerSecond(1), Bytes::Of(100000)};
    link.burstLoss = geotrain::BurstLossSettings{0.01, 0.5, 1};
    link.jitter = geotrain::JitterSettings();
    link.duplication = 0.5;
    link.rates.steps = {{Duration::Seconds(0), BitRate::GigabitsPerSecond(1)},
                        {Duration::Seconds(1), BitRate::GigabitsPerSecond(2)}};
    link.outages = {{Duration::Seconds(0), Duration::Seconds(1), true},
                    {Duration::Seconds(1), Duration::Seconds(2), false}};
}

TEST(ValidateImpairments, NamesAFieldAfterItsPrefix)
{
    geotrain::LinkImpairments link;
    geotrain::ValidateImpairments(link, Bytes::Of(1500), "", "--");
    link.lossRate = 1.5;
    try
    {
        geotrain::ValidateImpairments(link, Bytes::Of(1500), "", "--");
        FAIL() << "a loss above 1 is accepted";
    }
    catch (const geotrain::ConfigError& error)
    {
        EXPECT_STREQ(error.what(), "--loss: \"1.5\" must be >= 0 and < 1");
    }
}

TEST(Validate, AcceptsImpairedLinks)
{
    EXPECT_EQ(Complaint([](WanTopology& t) { Impair(t.links[0]); }), "");
    EXPECT_EQ(Complaint(
                  [](WanTopology& t)
                  {
                      Impair(t.links[0]);
                      t.links[0].red.reset();
                      t.links[0].coDel = geotrain::CoDelSettings();
                  }),
              "");
}

TEST(Validate, RefusesImpossibleImpairments)
{
    using Link = WanTopology::Link;
    const auto refused = [](const std::string& field, const std::function<void(Link&)>& change)
    {
        ExpectRefused("wan_link[0]." + field,
                      [&change](WanTopology& t)
                      {
                          Impair(t.links[0]);
                          change(t.links[0]);
                      });
    };
    refused("codel", [](Link& l) { l.coDel = geotrain::CoDelSettings(); });
    refused("queue_disc", [](Link& l) { l.queueDisc = "ns3::FqCoDelQueueDisc"; });
    refused("red.min_threshold", [](Link& l) { l.red->minThreshold.value = 0; });
    refused("red.max_threshold", [](Link& l) { l.red->maxThreshold.value = 0.25; });
    refused("red.max_threshold",
            [](Link& l) { l.red->maxThreshold.unit = geotrain::WanQueueSize::Unit::Bytes; });
    refused("red.max_probability", [](Link& l) { l.red->maxProbability = 0; });
    refused("red.weight", [](Link& l) { l.red->weight = 1.5; });
    const auto coDel = [](Duration target, Duration interval)
    {
        return [=](Link& l)
        {
            l.red.reset();
            l.coDel = geotrain::CoDelSettings{target, interval, true};
        };
    };
    refused("codel.target", coDel(Duration(), Duration::Seconds(1)));
    refused("codel.interval", coDel(Duration::Seconds(1), Duration::Milliseconds(999)));
    const auto only = [](auto change)
    {
        return [change](Link& l)
        {
            l.red.reset();
            change(l);
        };
    };
    refused("step", only([](Link& l) { l.step = geotrain::StepSettings(); }));
    refused("step.time", only([](Link& l) { l.step = geotrain::StepSettings{Duration(), {}}; }));
    refused("pie.target",
            only(
                [](Link& l)
                {
                    l.pie = geotrain::PieSettings();
                    l.pie->target = Duration();
                }));
    refused("fq_codel.flows",
            only(
                [](Link& l)
                {
                    l.fqCoDel = geotrain::FqCoDelSettings();
                    l.fqCoDel->flows = 0;
                }));
    refused("dualpi2.coupling",
            only(
                [](Link& l)
                {
                    l.dualPi2 = geotrain::DualPi2Settings();
                    l.dualPi2->coupling = 0;
                }));
    refused("policer.rate", [](Link& l) { l.policer->rate = BitRate(); });
    refused("policer.burst", [](Link& l) { l.policer->burst = Bytes::Of(1499); });
    refused("burst_loss.enter", [](Link& l) { l.burstLoss->enter = -0.1; });
    refused("burst_loss.leave", [](Link& l) { l.burstLoss->leave = 0; });
    refused("burst_loss.loss", [](Link& l) { l.burstLoss->loss = NAN; });
    refused("jitter.mean", [](Link& l) { l.jitter->mean = Duration::Nanoseconds(-1); });
    refused("jitter.deviation", [](Link& l) { l.jitter->deviation = Duration::Seconds(11); });
    refused("duplication", [](Link& l) { l.duplication = 1; });
    refused("rate_step[0].rate", [](Link& l) { l.rates.steps[0].rate = BitRate(); });
    refused("rate_step[0].at", [](Link& l) { l.rates.steps[0].at = Duration::Seconds(-1); });
    refused("rate_step[1].at", [](Link& l) { l.rates.steps[1].at = Duration::Seconds(0); });
    refused("outage[1].begin", [](Link& l) { l.outages[1].begin = Duration::Seconds(0.5); });
    refused("outage[1].end", [](Link& l) { l.outages[1].end = Duration::Seconds(1); });
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
    ExpectRefused("data_center: \"west\" has no path of WAN links from",
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
