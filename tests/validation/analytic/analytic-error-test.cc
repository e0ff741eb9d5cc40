// A few cells of the grid: the analytic network's time is within 10 % of the packets'.
#include "network-comparison.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

using Sharing = NetworkCase::Sharing;

class AnalyticError : public testing::TestWithParam<NetworkCase>
{
};

TEST_P(AnalyticError, IsBelowTenPercent)
{
    const auto times = Compare(GetParam());
    EXPECT_EQ(times.drops, 0u);
    EXPECT_NEAR(times.Error(), 0, 0.10)
        << GetParam().Name() << ": " << times.analytic << " s against " << times.packets << " s";
}

INSTANTIATE_TEST_SUITE_P(Cells,
                         AnalyticError,
                         testing::Values(NetworkCase{20, 16, 4, Sharing::Alone, true},
                                         NetworkCase{80, 4, 1, Sharing::Alone, false},
                                         NetworkCase{20, 1, 4, Sharing::Spatial, false},
                                         NetworkCase{20, 1, 4, Sharing::Temporal, false}));

} // namespace
} // namespace geotrain
