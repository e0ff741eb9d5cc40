// SPDX-License-Identifier: GPL-2.0-only
// Checks the mean window of one connection where losses are rare, which takes many packets. The
// tolerance is 25 or 30 %, since the formulas are for periodic loss and leave out recovery.
#include "response-function.h"

#include "csv-rows.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/string.h>

#include <cmath>
#include <string>
#include <vector>

namespace
{

using namespace ns3;

struct Row
{
    double lossRate;
    double segments;
};

void
ExpectRows(const std::string& control,
           std::int64_t rttMs,
           const std::vector<Row>& rows,
           double tolerance = 0.3)
{
    for (const Row& row : rows)
    {
        EXPECT_NEAR(MeanWindowUnderLoss(control, rttMs, row.lossRate),
                    row.segments,
                    tolerance * row.segments)
            << "at a loss rate of " << row.lossRate;
    }
}

TEST(ResponseFunction, LinuxRenoFollowsRfc9438)
{
    ExpectRows(
        "TcpLinuxReno", 100, {{1e-3, 38}, {1e-4, 120}, {1e-5, 379}}); // RFC 9438, table 1, Reno
}

class CubicResponse : public testing::TestWithParam<std::int64_t>
{
};

TEST_P(CubicResponse, IsTheLargerOfCubicsAndRenosWindow)
{
    ExpectRows("geotrain::TcpCubic",
               GetParam(),
               {{1e-4, CubicWindow(GetParam(), 1e-4)}, {3e-5, CubicWindow(GetParam(), 3e-5)}},
               0.25);
}

INSTANTIATE_TEST_SUITE_P(RttMs, CubicResponse, testing::Values(10, 40, 100));

class CubicTable : public testing::TestWithParam<std::string>
{
};

/// Checks table 1 of RFC 9438 at the loss rates that take less than a minute, for one factor C.
TEST_P(CubicTable, OfRfc9438IsMet)
{
    const auto rows = geotrain::ReadReference("tcp/rfc9438_table1.csv");
    if (rows.empty())
    {
        GTEST_SKIP() << "the shared reference data is not here";
    }
    Config::SetDefault("geotrain::TcpCubic::C", StringValue(GetParam()));
    for (const geotrain::CsvRow& row : rows)
    {
        const double lossRate = geotrain::Number(row, "loss_p");
        const auto rttMs = std::lround(1000 * geotrain::Number(row, "rtt_s"));
        if (lossRate >= 1e-4)
        {
            const double segments = geotrain::Number(row, "cubic_w_C" + GetParam());
            ExpectRows("geotrain::TcpCubic", rttMs, {{lossRate, segments}}, 0.25);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(C,
                         CubicTable,
                         testing::Values("0.04", "0.4", "4"),
                         [](const testing::TestParamInfo<std::string>& parameter) {
                             return parameter.param == "4" ? "C4"
                                                           : "C0" + parameter.param.substr(2);
                         });

TEST(ResponseFunction, HtcpFollowsTheDraftsAlpha)
{
    Config::SetDefault("geotrain::TcpHtcp::AdaptiveBackoff", BooleanValue(false));
    ExpectRows("geotrain::TcpHtcp",
               100,
               {{1e-3, HtcpWindow(100, 1e-3)}, {1e-4, HtcpWindow(100, 1e-4)}},
               0.15);
}

TEST(ResponseFunction, NewRenoFollowsItsFormulaForDelayedAcknowledgements)
{
    // It counts acknowledgements: a segment every other round trip.
    ExpectRows(
        "TcpNewReno",
        100,
        {{1e-3, RenoWindow(1e-3, 2)}, {1e-4, RenoWindow(1e-4, 2)}, {1e-5, RenoWindow(1e-5, 2)}});
}

TEST(ResponseFunction, Ns3sCubicAtAShortRoundTripIsPureCubic)
{
    // RFC 9438, section 5.1, equation 5, with C = 0.4 and beta = 0.7: (C (3 + beta) / (4 (1 -
    // beta)))^(1/4) RTT^(3/4) / p^(3/4). The RFC itself expects Reno's window here, 120 and 379
    // segments: 3.37 has no Reno-friendly region.
    const auto window = [](double lossRate)
    { return std::pow(0.4 * 3.7 / 1.2, 0.25) * std::pow(0.01 / lossRate, 0.75); };
    ExpectRows("ns3::TcpCubic", 10, {{1e-4, window(1e-4)}, {1e-5, window(1e-5)}});
}

} // namespace
