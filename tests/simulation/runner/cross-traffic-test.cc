// SPDX-License-Identifier: GPL-2.0-only
// Tests cross traffic: its arrivals and sizes against their distributions, its effect on others,
// and what it leaves alone.
#include "transfer-folder.h"

#include "runner/cross-traffic.h"

#include <cmath>

namespace geotrain
{

namespace
{

CrossTrafficPair
PairOf(std::vector<CrossTrafficPair::Step> steps)
{
    CrossTrafficPair pair;
    pair.name = "0/a-b";
    pair.steps = std::move(steps);
    pair.meanSize = Bytes::Of(1000000);
    return pair;
}

TEST(CrossTrafficArrivals, FollowTheRateOfEachStep)
{
    // 8 Mbit/s of 1 MB files is one per second. There is nothing from 10 s to 20 s, then two per
    // second.
    const auto pair =
        PairOf({{Duration(), 8e6}, {Duration::Seconds(10), 0}, {Duration::Seconds(20), 16e6}});
    const auto at = [&pair](double last, double exponential)
    { return NextArrival(pair, Instant() + Duration::Seconds(last), exponential).ToSeconds(); };
    EXPECT_NEAR(at(0, 1), 1, 1e-9);
    EXPECT_NEAR(at(8, 1.5), 9.5, 1e-9);
    EXPECT_NEAR(at(8, 3), 20.5, 1e-9); // 2 until 10 s, the third at two a second
    EXPECT_NEAR(at(30, 1), 30.5, 1e-9);
}

TEST(CrossTrafficArrivals, EndWhereNothingIsOfferedAnyMore)
{
    const auto pair = PairOf({{Duration(), 8e6}, {Duration::Seconds(10), 0}});
    EXPECT_EQ(NextArrival(pair, Instant(), 11), Instant::Never());
    EXPECT_EQ(NextArrival(PairOf({{Duration(), 0}}), Instant(), 0.1), Instant::Never());
}

TEST(CrossTrafficArrivals, SizesArePareto)
{
    auto pair = PairOf({{Duration(), 8e6}});
    pair.shape = 2.5;
    // The least is mean (shape - 1) / shape; the median least 2^(1 / shape).
    const double least = 1e6 * 1.5 / 2.5;
    EXPECT_NEAR(static_cast<double>(ParetoSize(pair, 1 - 1e-12)), least, 1);
    EXPECT_NEAR(static_cast<double>(ParetoSize(pair, 0.5)), least * std::pow(2, 0.4), 1);
    RandomStream draws(1, "test", "sizes");
    double sum = 0;
    constexpr int count = 200000;
    for (int i = 0; i < count; ++i)
    {
        sum += static_cast<double>(ParetoSize(pair, draws.Uniform()));
    }
    // The variance is least^2 shape / ((shape - 1)^2 (shape - 2)): a deviation of 0.9 means, so 0.2
    // % of the mean of 200,000; its own tail is heavy, hence 2 %.
    EXPECT_NEAR(sum / count, 1e6, 0.02e6);
}

constexpr const char* halfLoad = R"(
cross_traffic { from: "near" to: "far" load: 0.5 mean_size: "100kB" shape: 2.5 })";

TEST_F(TransferFolder, CrossTrafficSlowsMessagesDown)
{
    const auto alone = RunBulk({"transfer.messages=40"});
    const auto loaded = RunBulk({"transfer.messages=40"}, halfLoad);
    const double before = alone.Find("completion_time_mean").value();
    const double after = loaded.Find("completion_time_mean").value();
    // Half of the link is left in the mean; TCP's fair share with few others is more, never all.
    EXPECT_GT(after, 1.2 * before);
    EXPECT_LT(after, 4 * before);
}

TEST_F(TransferFolder, CrossTrafficOfNoLoadChangesNothing)
{
    const auto plain = RunBulk({"wan_link[0].loss=0.01"});
    const auto zero =
        RunBulk({"wan_link[0].loss=0.01"}, R"(cross_traffic { from: "near" to: "far" load: 0 })");
    ASSERT_EQ(plain.metrics.size(), zero.metrics.size());
    for (std::size_t i = 0; i < plain.metrics.size(); ++i)
    {
        EXPECT_EQ(plain.metrics[i].value, zero.metrics[i].value) << plain.metrics[i].name;
    }
}

TEST_F(TransferFolder, CrossTrafficTheOtherWayChangesNoDrawOfThisOne)
{
    // Cross traffic goes the other way, where the messages send only acknowledgements of 52 bytes.
    // Losses are drawn by direction, so the draws of the data's direction are the same.
    const auto plain = RunBulk({"wan_link[0].loss=0.01"});
    const auto other =
        RunBulk({"wan_link[0].loss=0.01"}, R"(cross_traffic { from: "far" to: "near" load: 0.1 })");
    EXPECT_EQ(plain.Find("messages"), other.Find("messages"));
    EXPECT_NEAR(plain.Find("retransmitted_share").value(),
                other.Find("retransmitted_share").value(),
                0.005);
}

TEST_F(TransferFolder, TheSameSeedGivesTheSameCrossTraffic)
{
    RunBulk({"wan_link[0].loss=0.001"}, halfLoad);
    const auto first = Trace();
    RunBulk({"wan_link[0].loss=0.001"}, halfLoad);
    EXPECT_EQ(Trace(), first);
}

TEST_F(TransferFolder, AMatrixIsOfferedWhenItSays)
{
    // Cross traffic takes nothing at first and then the whole link: later messages take longer than
    // the first ones.
    RunBulk({"transfer.messages=20"}, R"(
        cross_traffic {
          matrix_line: "time_s,from,to,rate_bps" matrix_line: "2,near,far,90e6"
          mean_size: "100kB" shape: 2.5
        })");
    TraceReader reader((m_run / "trace.pb").string());
    std::vector<double> seconds;
    while (const auto record = reader.Next())
    {
        if (record->has_transfer_span())
        {
            const auto& span = record->transfer_span();
            seconds.push_back(static_cast<double>(span.delivered_ns() - span.start_ns()) / 1e9);
        }
    }
    ASSERT_EQ(seconds.size(), 20U);
    EXPECT_NEAR(seconds[5], seconds[1], 0.02 * seconds[1]); // both before 2 s
    EXPECT_GT(seconds.back(), 1.5 * seconds[1]);
}

} // namespace

} // namespace geotrain
