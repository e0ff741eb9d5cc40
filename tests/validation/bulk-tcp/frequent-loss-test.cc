// SPDX-License-Identifier: GPL-2.0-only
// Checks mean windows where losses are frequent, which takes few packets. response-function-test
// has the rare ones.
#include "response-function.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3;

class FrequentLoss : public testing::TestWithParam<std::int64_t>
{
};

TEST_P(FrequentLoss, CubicsWindowIsNeverBelowRenos)
{
    for (const double lossRate : {1e-2, 1e-3})
    {
        const double segments = CubicWindow(GetParam(), lossRate);
        EXPECT_NEAR(MeanWindowUnderLoss("geotrain::TcpCubic", GetParam(), lossRate),
                    segments,
                    0.25 * segments)
            << "at a loss rate of " << lossRate;
    }
}

INSTANTIATE_TEST_SUITE_P(RttMs, FrequentLoss, testing::Values(10, 40, 100));

TEST(FrequentLoss, LinuxRenosWindowIsThatOfImmediateAcknowledgements)
{
    for (const double lossRate : {1e-2, 1e-3})
    {
        const double segments = RenoWindow(lossRate, 1);
        EXPECT_NEAR(
            MeanWindowUnderLoss("ns3::TcpLinuxReno", 40, lossRate), segments, 0.25 * segments)
            << "at a loss rate of " << lossRate;
    }
}

} // namespace
