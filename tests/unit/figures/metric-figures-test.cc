// SPDX-License-Identifier: GPL-2.0-only
// Figures of comparisons take the variants that differ in what they show and in nothing else.
#include "expect-figure.h"
#include "figures/fill-figures.h"
#include "figures/serving-figures.h"

namespace geotrain
{
namespace
{

// A run with prefills, as far as figures see it.
VariantSummary
ServingRun(std::uint32_t degree, double rate, double jitter)
{
    VariantSummary variant;
    variant.variant = "a-name-that-is-much-too-long-for-the-key-of-a-narrow-figure";
    auto& serving = *variant.summary.header.mutable_serving();
    serving.set_model("llama3-8b");
    serving.set_pp_degree(degree);
    serving.set_requests_per_second(rate);
    variant.summary.ttft = {{0.5, 0.25}, {1, 0.5}, {2, 0.75}};
    variant.summary.metrics = {{"requests", rate, ""},
                               {"ttft_p50", rate * degree, "s"},
                               {"ttft_p90", 2 * rate * degree, "s"},
                               {"wan_message_jitter", jitter, "s"},
                               {"bubble_fill_share", 0.9, ""},
                               {"bubble_lost_share", 0.1, ""}};
    return variant;
}

TEST(ServingFigures, RatesAndDegreesGiveDistributionAndCurves)
{
    const TemporaryFolder folder;
    std::vector<VariantSummary> variants;
    for (const std::uint32_t degree : {1, 2})
    {
        variants.push_back(ServingRun(degree, 10, 0.001 * degree));
        variants.push_back(ServingRun(degree, 20, 0.001 * degree));
    }
    EXPECT_EQ(DrawServingFigures(variants, folder.Path()).size(), 2 * filesOfFigure);
    ExpectFigure(folder / "ttft-cdf");
    ExpectFigure(folder / "ttft-rate");
}

TEST(ServingFigures, ObjectivesGiveTwoCurvesPerRate)
{
    const TemporaryFolder folder;
    std::vector<VariantSummary> variants;
    for (const double rate : {10.0, 20.0})
    {
        for (const double objective : {0.5, 1.0, 2.0})
        {
            variants.push_back(ServingRun(1, rate, 0.001));
            auto& summary = variants.back().summary;
            summary.header.mutable_serving()->set_ttft_objective_s(objective);
            summary.metrics.push_back({"total_utilization", 0.5 + 0.1 * objective, ""});
            summary.metrics.push_back({"in_time_share", 0.3 * objective, ""});
        }
    }
    DrawServingFigures(variants, folder.Path());
    ExpectFigure(folder / "utilization-objective");
    const auto data = Contents(folder / "utilization-objective.csv");
    EXPECT_NE(data.find("20 requests/s, first tokens in time"), std::string::npos) << data;
    EXPECT_NE(data.find("10 requests/s, GPU time used"), std::string::npos) << data;
}

TEST(ServingFigures, JitterIsComparedAmongEqualRequestsOnly)
{
    const TemporaryFolder folder;
    const std::vector<VariantSummary> alike{
        ServingRun(1, 10, 0.001), ServingRun(1, 10, 0.002), ServingRun(1, 10, 0.003)};
    EXPECT_EQ(DrawServingFigures(alike, folder.Path()).size(), 2 * filesOfFigure);
    ExpectFigure(folder / "prefill-jitter");
    const TemporaryFolder other;
    const std::vector<VariantSummary> unlike{ServingRun(1, 10, 0.001), ServingRun(1, 20, 0.002)};
    DrawServingFigures(unlike, other.Path());
    EXPECT_FALSE(std::filesystem::exists(other / "prefill-jitter.png"));
}

// 0.9 +- 0.2 and 0.9 +- 0.3 end at 100 %, so that the axis goes to 1.08 x 100.
TEST(FillingFigures, IntervalsOfSharesEndAtTheWhole)
{
    const TemporaryFolder folder;
    std::vector<VariantSummary> variants;
    for (const double jitter : {0.001, 0.002, 0.003})
    {
        variants.push_back(ServingRun(1, 10, jitter));
        variants.back().seeds = 3;
        auto& metrics = variants.back().summary.metrics;
        metrics[4].halfWidth = 0.2;
        metrics.push_back({"fill_job_share", 0.9, "", 0.3});
        metrics.push_back({"fill_job_discarded", 0.9, "", 0.3});
    }
    DrawServingFigures(variants, folder.Path());
    DrawFillFigures(variants, folder.Path());
    for (const std::string figure : {"prefill-jitter", "fill-share", "fill-discarded"})
    {
        const auto script = Contents(folder / (figure + ".gp"));
        EXPECT_NE(script.find("set yrange [0:108"), std::string::npos) << figure << script;
    }
}

TEST(ServingFigures, TwoMeasuredPointsAreNoCurve)
{
    const TemporaryFolder folder;
    DrawServingFigures({ServingRun(1, 10, 0.001), ServingRun(1, 10, 0.002)}, folder.Path());
    EXPECT_FALSE(std::filesystem::exists(folder / "prefill-jitter.png"));
}

TEST(ServingFigures, RunsWithoutRequestsAreLeftOut)
{
    const TemporaryFolder folder;
    EXPECT_TRUE(DrawServingFigures({ServingRun(1, 0, 0.001)}, folder.Path()).empty());
}

// Two policies at each of three jitters, which don't depend on them.
TEST(FillFigures, TakeVariantsOfEqualJitter)
{
    const TemporaryFolder folder;
    std::vector<VariantSummary> variants(6);
    for (std::size_t i = 0; i < variants.size(); ++i)
    {
        variants[i].summary.metrics = {{"wan_message_jitter", 0.001 * static_cast<double>(i / 2), "s"},
                                       {"fill_job_share", 0.5 + 0.01 * static_cast<double>(i), ""},
                                       {"fill_job_discarded", 0.001, ""}};
    }
    EXPECT_EQ(DrawFillFigures(variants, folder.Path()).size(), 2 * filesOfFigure);
    ExpectFigure(folder / "fill-share");
    ExpectFigure(folder / "fill-discarded");
}

// 1F1B at 1,024 GPUs and GPipe at 8,192 are no sweep over GPUs.
TEST(FillFigures, SchedulesAreNotJoinedToACurve)
{
    const TemporaryFolder folder;
    std::vector<VariantSummary> variants(2);
    for (std::size_t i = 0; i < variants.size(); ++i)
    {
        variants[i].summary.header.set_schedule(i == 0 ? "1f1b" : "gpipe");
        variants[i].summary.header.add_workers()->set_gpus(i == 0 ? 1024 : 8192);
        variants[i].summary.metrics = {{"fill_job_gain", 0.25, ""}};
    }
    EXPECT_TRUE(DrawFillFigures(variants, folder.Path()).empty());
}

// Three mixes at each of two numbers of GPUs.
TEST(FillFigures, GainGoesFromTheLeastToTheMostOfTheMixes)
{
    const TemporaryFolder folder;
    std::vector<VariantSummary> variants(6);
    for (std::size_t i = 0; i < variants.size(); ++i)
    {
        variants[i].summary.header.add_workers()->set_gpus(i < 3 ? 1024 : 8192);
        variants[i].summary.metrics = {
            {"fill_job_gain", 0.25 + 0.125 * static_cast<double>(i), ""}};
    }
    DrawFillFigures(variants, folder.Path());
    ExpectFigure(folder / "fill-gain");
    const auto data = Contents(folder / "fill-gain.csv");
    EXPECT_NE(data.find("least of the mixes"), std::string::npos) << data;
    EXPECT_NE(data.find("87.5"), std::string::npos) << data; // the most of 8,192 GPUs
    EXPECT_EQ(data.find("75\n"), std::string::npos) << data; // neither the least nor the most
}

// At 2,048 GPUs there is the first mix alone, which is neither the least nor the most elsewhere.
TEST(FillFigures, AMixThatIsAloneAtSomeGpusHasACurveOfItsOwn)
{
    const TemporaryFolder folder;
    std::vector<VariantSummary> variants;
    for (const auto& [gpus, gain] : {std::pair(1024U, 0.5), {1024U, 0.25}, {1024U, 0.75}, {2048U, 0.5}})
    {
        variants.emplace_back();
        variants.back().summary.header.add_workers()->set_gpus(gpus);
        variants.back().summary.metrics = {{"fill_job_gain", gain, ""}};
    }
    DrawFillFigures(variants, folder.Path());
    const auto data = Contents(folder / "fill-gain.csv");
    EXPECT_NE(data.find("first mix,2048,50"), std::string::npos) << data;
    EXPECT_NE(data.find("least of the mixes,1024,25"), std::string::npos) << data;
    EXPECT_EQ(data.find("least of the mixes,2048"), std::string::npos) << data;
}

} // namespace
} // namespace geotrain
