// SPDX-License-Identifier: GPL-2.0-only
// Runs the diagonal of the battery's matrix: two flows of one control, which nothing tells apart but
// when they begin, which is drawn alike for both. So the mean share is a half.
#include "battery/battery.h"
#include "comparison/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace geotrain
{

namespace
{

TEST(BatteryMatrix, HasAHalfWithinTheIntervalsOfItsDiagonal)
{
    const auto headings = BatteryHeadings();
    const auto matrix = std::find_if(
        headings.begin(), headings.end(), [](const auto& one) { return one.name == "matrix"; });
    ASSERT_NE(matrix, headings.end());
    CompareOptions options;
    options.folder = std::filesystem::path(testing::TempDir()) / "matrix-diagonal";
    std::filesystem::remove_all(options.folder);
    std::filesystem::create_directories(options.folder);
    options.jobs = 2;
    options.figures = DrawnFigures::None;
    options.plans = PlanVariants(matrix->text, {});
    options.seeds = options.plans.seeds;
    const auto& paths = options.plans.variedPaths;
    const auto placeOf = [&paths](const std::string& path)
    {
        const auto found = std::find(paths.begin(), paths.end(), path);
        return static_cast<std::size_t>(found - paths.begin());
    };
    const std::size_t row = placeOf("transport.congestion_control");
    const std::size_t column = placeOf("transfer.flow[1].congestion_control");
    auto& variants = options.plans.variants;
    variants.erase(std::remove_if(variants.begin(),
                                  variants.end(),
                                  [row, column](const VariantPlan& one)
                                  { return one.values.at(row) != one.values.at(column); }),
                   variants.end());
    const ComparisonTable table = Compare(matrix->text, options);
    EXPECT_EQ(table.Rows().size(), 5U);
    for (const ComparisonRow& pair : table.Rows())
    {
        const MeanInterval share = table.CellOf(pair, "share_row").value();
        EXPECT_NEAR(share.mean, 0.5, share.halfWidth) << pair.variant;
        // Seeds and time enough: 60 s and five seeds had 17 and 25 points of two controls.
        EXPECT_LT(share.halfWidth, 0.06) << pair.variant;
    }
}

} // namespace

} // namespace geotrain
