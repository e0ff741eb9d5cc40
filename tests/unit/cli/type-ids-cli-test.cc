// SPDX-License-Identifier: GPL-2.0-only
// Walks over the types of ns-3 that a scenario may name, and checks that a run can have those that
// `geotrain check` takes.
#include "program-test.h"

#include "loader/transport-section.h"

#include <ns3/queue-disc.h>
#include <ns3/type-id.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace
{

class TypeIds : public geotrain::ProgramTest
{
  protected:
    void SetUp() override
    {
        Write("t.textproto", R"(
transfer { size: "100kB" messages: 2 }
data_center { name: "a" nodes: 1 } data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "100Mbps" delay: "1ms" }
run { deadline: "100s" }
)");
    }

    /// Returns whether a check with `sets` takes them; a run then has to do so too.
    bool IsTaken(const std::string& sets) const
    {
        const auto checked = Geotrain("check t.textproto --quiet" + sets);
        EXPECT_LE(checked.code, 1) << sets << ": " << checked.error;
        if (checked.code == 0)
        {
            const auto run = Geotrain("run t.textproto --quiet --force --out r" + sets);
            EXPECT_EQ(run.code, 0) << sets << ": " << run.error;
        }
        return checked.code == 0;
    }
};

TEST_F(TypeIds, OfQueueDiscsThatCheckTakesCarryARun)
{
    std::size_t taken = 0;
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        if (type.IsChildOf(ns3::QueueDisc::GetTypeId()))
        {
            const auto sets =
                " --set transport.bearer=DEVICE --set wan_link[0].queue_disc=" + type.GetName();
            const bool isTaken = IsTaken(sets);
            EXPECT_EQ(isTaken, type.GetName() != "ns3::MqQueueDisc") << type.GetName();
            taken += isTaken ? 1 : 0;
        }
    }
    EXPECT_GE(taken,
              8u); // CoDel, FqCoDel, FqCobalt, FqPie, Cobalt, Fifo, PfifoFast, Pie, Prio, Red, Tbf
    const auto refused = Geotrain("check t.textproto --set transport.bearer=DEVICE "
                                  "--set wan_link[0].queue_disc=MqQueueDisc");
    EXPECT_EQ(
        refused.error,
        "t.textproto: wan_link[0].queue_disc: \"MqQueueDisc\" can't be the only queue disc of a "
        "link: ns-3 refuses it\n");
}

TEST_F(TypeIds, OfCongestionControlsThatCheckTakesCarryARun)
{
    std::size_t taken = 0;
    for (const auto& control : geotrain::CongestionControls())
    {
        for (const std::string bearer : {"EXPRESS", "DEVICE", "STOCK"})
        {
            taken += IsTaken(" --set transport.bearer=" + bearer +
                             " --set transport.congestion_control=" + control.name)
                         ? 1
                         : 0;
        }
    }
    EXPECT_GE(taken, 40u);
}

/// 100 SYNs leave in one instant, and 90 of them find the queue full. Their retries spread.
TEST_F(TypeIds, OfEachBearerOpenManyConnectionsBehindAShortQueue)
{
    const std::string sets = " --set transport.connections=100 --set wan_link[0].rate=50Mbps "
                             "--set wan_link[0].delay=5ms --set wan_link[0].queue=10packets";
    for (const std::string bearer : {"EXPRESS", "DEVICE", "STOCK"})
    {
        EXPECT_TRUE(IsTaken(sets + " --set transfer.size=1MB --set transport.bearer=" + bearer));
    }
}

} // namespace
