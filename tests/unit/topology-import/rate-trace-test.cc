// SPDX-License-Identifier: GPL-2.0-only
// Checks traces of a link's rate on texts by hand, and what is refused.
#include "topology-import/rate-trace.h"

#include "units/config-error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace
{

using geotrain::BitRate;
using geotrain::Duration;
using geotrain::ParseRateTrace;
using geotrain::RateSchedule;

BitRate
Kbps(std::int64_t kbps)
{
    return BitRate::BitsPerSecond(kbps * 1000);
}

/// Returns the rates at each tenth of a second of a time, in kbit/s.
std::vector<std::int64_t>
RatesIn(const RateSchedule& schedule, int tenths)
{
    std::vector<std::int64_t> rates;
    for (int tenth = 0; tenth < tenths; ++tenth)
    {
        rates.push_back(
            schedule.RateAt(Duration::Milliseconds(100 * tenth), Kbps(1)).ToBitsPerSecond() / 1000);
    }
    return rates;
}

TEST(RateTrace, OpportunitiesOfMahimahiAreMeansOver100Ms)
{
    // Three opportunities in (0, 100 ms], none in (100, 200], one in (200, 250], where it begins again:
    // 12,000 bits each over 100, 100 and 50 ms.
    const RateSchedule schedule = ParseRateTrace("0\n50\n100\n250\n", "t");
    EXPECT_EQ(schedule.period, Duration::Milliseconds(250));
    ASSERT_EQ(schedule.steps.size(), 3u);
    EXPECT_EQ(schedule.steps[0].rate, Kbps(360));
    EXPECT_EQ(schedule.steps[1].rate, BitRate());
    EXPECT_EQ(schedule.steps[2].rate, Kbps(240));
    EXPECT_EQ(schedule.MeanRate(), Kbps(192)); // 4 x 12,000 bits / 250 ms
    EXPECT_EQ(schedule.RateAt(Duration::Milliseconds(5050), Kbps(1)), Kbps(360)); // 20 rounds later
}

TEST(RateTrace, RowsHoldUntilTheNextAndRepeat)
{
    const std::vector<std::int64_t> twice{8000, 2000, 2000, 8000, 2000, 2000};
    // Times count from the first row; the row without a rate is the end.
    EXPECT_EQ(RatesIn(ParseRateTrace("t_s,rate\r\n7,8Mbps\r\n7.1,2Mbps\r\n7.3,\r\n", "t"), 6),
              twice);
    EXPECT_EQ(RatesIn(ParseRateTrace("t_s,rate_kbps\n0,8000\n0.1,2000\n0.3,", "t"), 6), twice);
    EXPECT_EQ(RatesIn(ParseRateTrace("\"T_s\", Rate_kbps\n0, 8000\n\"0.1\",2000\n0.3, \n", "t"), 6),
              twice);
    // Without it, the last rate holds as long as the one before it.
    EXPECT_EQ(RatesIn(ParseRateTrace("t_s,rate_mbps\n0,8\n0.1,2\n0.2,2\n", "t"), 6), twice);
    EXPECT_EQ(RatesIn(ParseRateTrace("t_s,rate_bps\n0,5000", "t"), 2),
              (std::vector<std::int64_t>{5, 5}));
}

TEST(RateTrace, LinesSayTheSameSchedule)
{
    const RateSchedule schedule = ParseRateTrace("3\n80\n80\n333\n", "t");
    const std::string text = fmt::format("{}", fmt::join(geotrain::RateTraceLines(schedule), "\n"));
    const RateSchedule again = ParseRateTrace(text, "t");
    EXPECT_EQ(again.period, schedule.period);
    EXPECT_EQ(RatesIn(again, 7), RatesIn(schedule, 7));
}

TEST(RateTrace, ErrorsNameLineAndRule)
{
    const auto errorOf = [](const std::string& text) -> std::string
    {
        try
        {
            ParseRateTrace(text, "trace");
        }
        catch (const geotrain::ConfigError& error)
        {
            return error.what();
        }
        return "none";
    };
    const auto expect =
        [&](const std::string& text, const std::string& place, const std::string& rule)
    {
        const std::string error = errorOf(text);
        EXPECT_EQ(error.rfind("trace" + place, 0), 0u) << error;
        EXPECT_NE(error.find(rule), std::string::npos) << error;
    };
    expect("", "", "empty");
    expect("\n\n", "", "empty");
    expect("5\n3\n", ":2", "before the line before");
    expect("-5\n3\n", ":1", "whole milliseconds");
    expect("1\n2.5\n", ":2", "whole milliseconds");
    expect("1\n\n2\n", ":2", "whole milliseconds");
    expect("0\n0\n", ":2", "later than 0");
    expect("1\n10000101\n", ":2", "100000 rates");
    expect("time,rate\n0,1Mbps\n", ":1", "t_s,rate");
    expect("# a comment\n1\n2\n", ":1", "t_s,rate");
    expect("t_s,rate\n", ":1", "rows");
    expect("t_s,rate\n0,1Mbps\n0,2Mbps\n", ":3", "later");
    expect("t_s,rate\n-1,1Mbps\n", ":2", "0 or more");
    expect("t_s,rate\n0,1 furlong\n", ":2", "bps");
    expect("t_s,rate\n0,7\n", ":2", "bps");
    expect("t_s,rate_mbps\n0,-7\n", ":2", "0 or more");
    expect("t_s,rate\n0,-7Mbps\n", ":2", "0 or more");
    expect("t_s,rate_gbps\n0,1e9\n", ":2", "100 Tbps");
    expect("t_s,rate_mbps\n0,nan\n", ":2", "0 or more");
    expect("t_s,rate\n0\n", ":2", "two cells");
    expect("t_s,rate_mbps\n0,0\n1,0\n", "", "above 0");
}

} // namespace
