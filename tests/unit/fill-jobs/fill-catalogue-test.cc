// SPDX-License-Identifier: GPL-2.0-only
// Checks the fill models against what their papers and checkpoints say of them.

#include "fill-jobs/fill-catalogue.h"
#include "hardware/gpu-catalogue.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

double
ForwardFlopsOfSample(const FillModel& model, FillTask task)
{
    double flops = 0;
    for (const FillBlock& block : model.blocks(*FindGpu("V100-16"), 1, task))
    {
        flops += block.isForTrainingOnly ? 0 : block.forwardFlops;
    }
    return flops;
}

// Published parameters. BERT-base's and BERT-large's checkpoints have a pooler, token types and a
// head of their own that are left out here (under 1.5 %).
TEST(FillCatalogue, HasThePublishedParameters)
{
    struct Published
    {
        const char* name;
        double parameters;
        double tolerance;
    };
    const Published all[] = {{"bert-base", 109.5e6, 0.015},
                             {"bert-large", 335.1e6, 0.015},
                             {"efficientnet", 118515272, 0.001}, // torchvision's efficientnet_v2_l
                             {"swin-large", 196.5e6, 0.005}, // timm's swin_large_patch4_window7_224
                             {"xlm-roberta-xl", 3.48e9, 0.01}};
    for (const auto& published : all)
    {
        const double parameters = FillParameters(*FindFillModel(published.name));
        EXPECT_NEAR(parameters / published.parameters, 1, published.tolerance)
            << published.name << " " << parameters;
    }
}

// 2 x the published multiply-adds: 56.08 G at 480 x 480 (torchvision), 34.5 G at 224 x 224 (Liu et
// al., table 1; they don't count what attention's softmax does either).
TEST(FillCatalogue, HasThePublishedMultiplyAdds)
{
    EXPECT_NEAR(ForwardFlopsOfSample(*FindFillModel("efficientnet"), FillTask::Inference) /
                    (2 * 56.08e9),
                1,
                0.01);
    EXPECT_NEAR(ForwardFlopsOfSample(*FindFillModel("swin-large"), FillTask::Inference) /
                    (2 * 34.5e9),
                1,
                0.02);
}

// Work is 6 FLOPs a parameter of a layer and token, and attention's (Narayanan et al., SC'21):
// BERT-large's layers have 12 h^2 parameters, so 72 b s h^2 (1 + s/(6h)) a layer, and the head's 6
// b s h V.
TEST(FillCatalogue, TrainingDoesThreeTimesTheForwardPass)
{
    const FillProgram program =
        MakeFillProgram(*FindFillModel("bert-large"), FillTask::Training, 2, *FindGpu("A100-80"));
    const double h = 1024;
    const double tokens = 2 * 512;
    const double layers = 24 * 72 * tokens * h * h * (1 + 512 / (6 * h));
    const double head = 6 * tokens * h * 30522;
    EXPECT_NEAR(program.PassWork().Count() / (layers + head), 1, 1e-12);
}

TEST(FillCatalogue, InferenceHoldsItsWeightsThroughout)
{
    const FillModel& model = *FindFillModel("xlm-roberta-xl");
    const FillProgram program = MakeFillProgram(model, FillTask::Inference, 1, *FindGpu("V100-16"));
    for (const FillOperator& each : program.Operators())
    {
        EXPECT_GT(static_cast<double>(each.memory.Count()), 2 * FillParameters(model));
    }
    EXPECT_LT(static_cast<double>(program.PeakMemory().Count()), 2 * FillParameters(model) + 1e7);
}

// With 18 bytes per parameter, 63 GB of state don't fit a V100, nor an A100-40.
TEST(FillCatalogue, WhatFitsNoGpuHasNoProgram)
{
    const FillModel& model = *FindFillModel("xlm-roberta-xl");
    EXPECT_TRUE(MakeFillPrograms(model, FillTask::Training, *FindGpu("V100-16")).empty());
    EXPECT_FALSE(MakeFillPrograms(model, FillTask::Training, *FindGpu("A100-80")).empty());
}

TEST(FillCatalogue, LargerBatchesAreFasterASample)
{
    for (const FillModel& model : FillModelCatalogue())
    {
        const auto programs = MakeFillPrograms(model, FillTask::Inference, *FindGpu("V100-16"));
        ASSERT_GE(programs.size(), 4U) << model.name;
        for (std::size_t i = 1; i < programs.size(); ++i)
        {
            EXPECT_LT(programs[i]->PassDuration().ToSeconds() / programs[i]->Samples(),
                      programs[i - 1]->PassDuration().ToSeconds() / programs[i - 1]->Samples())
                << programs[i]->Name();
        }
    }
}

TEST(FillCatalogue, NothingIsFasterThanItsGpu)
{
    for (const GpuSpec& gpu : GpuCatalogue())
    {
        for (const FillModel& model : FillModelCatalogue())
        {
            for (const auto task : {FillTask::Training, FillTask::Inference})
            {
                for (const auto& program : MakeFillPrograms(model, task, gpu))
                {
                    EXPECT_LT(program->PassWork().Count() / program->PassDuration().ToSeconds(),
                              gpu.peakFlopsPerSecond)
                        << program->Name();
                    EXPECT_LE(program->PeakMemory().Count(), gpu.memory.Count());
                }
            }
        }
    }
}

} // namespace

} // namespace geotrain
