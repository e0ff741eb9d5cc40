// SPDX-License-Identifier: GPL-2.0-only
// The throughput over time has all bits that were sent, and never exceeds the capacity.
#include "figures/wan-throughput.h"

#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/trace-reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{
namespace
{

double
HighestRate(const BinnedBits& bits)
{
    const auto rates = bits.RatesBps();
    return *std::max_element(rates.begin(), rates.end());
}

std::filesystem::path
WriteTraceOf(const TemporaryFolder& folder, const std::vector<trace::Record>& records)
{
    WriteTrace((folder / "trace.pb").string(), records);
    return folder / "trace.pb";
}

PipelineSetup
AnalyticSetup()
{
    PipelineSetup setup;
    setup.network = "analytic";
    setup.withoutPackets = true;
    setup.linkSamples = false;
    return setup;
}

// Bits are conserved: the bins add up to what was added inside the window.
TEST(BinnedBits, KeepWhatLiesInsideTheWindow)
{
    BinnedBits bits({1000, 2000}, 7);
    bits.Add(900, 1100, 200); // half of it outside
    bits.Add(1500, 1500, 40); // no length
    bits.Add(1990, 2010, 60); // half of it outside
    bits.Add(0, 500, 1000);
    bits.Add(2000, 2500, 1000);
    EXPECT_NEAR(bits.TotalBits(), 100 + 40 + 30, 1e-9); // rounding of 7 bins of 142.86 ns
}

// 8 bits over 4 ns of a window of 4 ns: 2 bit/ns in each bin.
TEST(BinnedBits, RateIsBitsOverTime)
{
    BinnedBits bits({0, 4}, 2);
    bits.Add(0, 4, 8);
    EXPECT_EQ(bits.RatesBps(), (std::vector<double>{2e9, 2e9}));
}

TEST(WanThroughput, AnalyticRunTakesItFromMessages)
{
    const TemporaryFolder folder;
    TraceReader reader(WriteTraceOf(folder, PipelineTrace(AnalyticSetup())).string());
    const auto throughput = GatherWanThroughput(RunTally(reader), {0, 10000000000}, 100);
    EXPECT_FALSE(throughput.fromLinks);
    // p = 3 stages: two hops, each in both directions, each with 4 replicas x 16 messages of 32
    // MiB.
    ASSERT_EQ(throughput.bits.size(), 4u);
    EXPECT_NEAR(throughput.bits.at("dc0 -> dc1").TotalBits(), 64 * 8 * 33554432.0, 1);
}

// Two messages of 100 bits overlap from 5 to 10 ns, where they would need 10 + 20 bit/ns of 20.
TEST(ShapedThroughput, WaitsWhereTheCapacityIsExceeded)
{
    BinnedBits bits({0, 20}, 20);
    AddShaped({{0, 10, 100}, {5, 10, 100}}, CapacityCurve(20e9), bits);
    EXPECT_NEAR(bits.TotalBits(), 200, 1e-9);
    const auto rates = bits.RatesBps();
    EXPECT_NEAR(rates[4], 10e9, 1);  // the first message alone
    EXPECT_NEAR(rates[9], 20e9, 1);  // both: 50 bits wait at the end
    EXPECT_NEAR(rates[11], 20e9, 1); // 50 bits / 20 bit/ns = 2.5 ns more
    EXPECT_NEAR(rates[12], 10e9, 1);
    EXPECT_NEAR(rates[13], 0, 1);
}

TEST(ShapedThroughput, WithoutACapacityStaysAsItIs)
{
    BinnedBits bits({0, 20}, 20);
    AddShaped({{0, 10, 100}, {5, 10, 100}}, CapacityCurve(INFINITY), bits);
    EXPECT_NEAR(bits.RatesBps()[7], 30e9, 1);
}

// 20 bit/ns, from 10 to 15 ns nothing, and then 5: what comes from 10 ns on, 100 bits, waits for 5 ns and
// takes 20 more.
TEST(ShapedThroughput, FollowsACapacityThatChanges)
{
    CapacityCurve::Steps steps;
    for (const auto& [fromNs, bps] : {std::pair(0, 20e9), {10, 0.0}, {15, 5e9}})
    {
        steps.Add()->set_from_ns(fromNs);
        steps.rbegin()->set_bps(bps);
    }
    BinnedBits bits({0, 40}, 40);
    AddShaped({{0, 10, 100}, {10, 12, 100}}, CapacityCurve(20e9, steps), bits);
    EXPECT_NEAR(bits.TotalBits(), 200, 1e-9);
    const auto rates = bits.RatesBps();
    EXPECT_NEAR(rates[9], 10e9, 1);
    EXPECT_NEAR(rates[14], 0, 1);
    EXPECT_NEAR(rates[15], 5e9, 1);
    EXPECT_NEAR(rates[34], 5e9, 1);
    EXPECT_NEAR(rates[35], 0, 1);
}

// A message is handed over in a tenth of the time that it takes, as to the queue before a cap, while
// others overlap; the window begins while bits wait.
TEST(ShapedThroughput, ConservesBitsInEveryWindow)
{
    std::vector<Sending> sendings;
    for (int i = 0; i < 200; ++i)
    {
        const double startNs = 7919.0 * (i * i % 101);
        sendings.push_back({startNs, startNs + 100 + i, 4000});
    }
    BinnedBits whole({0, 2000000}, 600);
    AddShaped(sendings, CapacityCurve(3e9), whole);
    EXPECT_NEAR(whole.TotalBits(), 200 * 4000, 1e-3);
    EXPECT_LE(HighestRate(whole), 3e9 * (1 + 1e-9));
    BinnedBits left({0, 400000}, 37);
    BinnedBits right({400000, 2000000}, 53);
    AddShaped(sendings, CapacityCurve(3e9), left);
    AddShaped(sendings, CapacityCurve(3e9), right);
    EXPECT_NEAR(left.TotalBits() + right.TotalBits(), 200 * 4000, 1e-3);
    EXPECT_LE(HighestRate(right), 3e9 * (1 + 1e-9));
}

// 4 replicas send at a time; each message of 32 MiB takes 60 ms, 4.5 Gbit/s.
TEST(WanThroughput, AnalyticRunStaysBelowItsCapacity)
{
    const TemporaryFolder folder;
    auto records = PipelineTrace(AnalyticSetup());
    for (const char* name : {"dc0 -> dc1", "dc1 -> dc2", "dc1 -> dc0", "dc2 -> dc1"})
    {
        auto& capacity = *records.front().mutable_run_header()->add_wan_capacities();
        capacity.set_name(name);
        capacity.set_bps(20e9);
    }
    TraceReader reader(WriteTraceOf(folder, records).string());
    const RunTally tally(reader);
    const auto throughput = GatherWanThroughput(tally, {0, 10000000000}, 600);
    EXPECT_EQ(throughput.capacitiesBps.at("dc0 -> dc1"), std::vector<double>(600, 20e9));
    std::uint64_t sent = 0;
    for (const auto& message : tally.MessagesOverWan())
    {
        sent += 8 * message.bytes();
    }
    double drawn = 0;
    for (const auto& [name, bits] : throughput.bits)
    {
        EXPECT_LE(HighestRate(bits), 20e9 * (1 + 1e-9)) << name;
        drawn += bits.TotalBits();
    }
    EXPECT_NEAR(drawn, static_cast<double>(sent), 1);
}

} // namespace
} // namespace geotrain
