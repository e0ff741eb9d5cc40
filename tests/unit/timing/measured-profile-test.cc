// SPDX-License-Identifier: GPL-2.0-only
#include "hardware/gpu-catalogue.h"
#include "timing/measured-profile.h"
#include "units/config-error.h"
#include "workload/model-catalogue.h"

#include <gtest/gtest.h>

#include <string>

namespace geotrain
{
namespace
{

const std::string header = "layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms\n";
const std::string rows = "0,1,2,1.5,2,3\n"
                         "1,1,2,2.5,3,4\n"
                         "embedding,1,2,0.1,0.2,0.3\n"
                         "head,1,2,10,11,12\n";

StageTiming
Time(const MeasuredProfile& profile, StageShare share, std::uint32_t firstLayer)
{
    share.firstLayer = firstLayer;
    const auto model = MakeGpt("gpt", 2, 512, 8, 1000, 128, true);
    const StageExecution execution{1, 2, Recomputation::Full};
    return profile.TimeStage(model, share, *FindGpu("A100-80"), execution);
}

void
ExpectRefused(const std::string& text, const std::string& expected)
{
    try
    {
        MeasuredProfile::Parse("profile.csv", text);
        ADD_FAILURE() << "taken: " << text;
    }
    catch (const ConfigError& error)
    {
        EXPECT_EQ(std::string(error.what()).rfind("profile.csv: ", 0), 0u) << error.what();
        EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
}

TEST(MeasuredProfile, StagesAreTheSumsOfTheirRows)
{
    const auto profile = MeasuredProfile::Parse("profile.csv", header + rows);
    const auto whole = Time(profile, {2, true, true}, 0);
    EXPECT_EQ(whole.forward, Duration::Microseconds(1500 + 2500 + 100 + 10000));
    EXPECT_EQ(whole.backwardInput, Duration::Microseconds(2000 + 3000 + 200 + 11000));
    EXPECT_EQ(whole.backwardWeight, Duration::Microseconds(3000 + 4000 + 300 + 12000));
    EXPECT_EQ(whole.recompute, Duration::Microseconds(1500 + 2500)); // layers alone
    EXPECT_GT(whole.optimizerStep, Duration());
    const auto second = Time(profile, {1, false, false}, 1);
    EXPECT_EQ(second.forward, Duration::Microseconds(2500));
}

TEST(MeasuredProfile, ATimeBelowANanosecondIsNone)
{
    ExpectRefused(header + "0,1,2,1e-7,2,3\n", "must be a number of milliseconds from 1e-6 to 1e9");
}

TEST(MeasuredProfile, ColumnsMayComeInAnyOrderAndLinesFromWindows)
{
    const auto profile = MeasuredProfile::Parse(
        "profile.csv",
        "tp,layer,forward_ms,backward_weight_ms,backward_input_ms,microbatch\r\n2,0,1,3,2,1\r\n");
    const auto timing = Time(profile, {1, false, false}, 0);
    EXPECT_EQ(timing.backwardInput, Duration::Milliseconds(2));
    EXPECT_EQ(timing.backwardWeight, Duration::Milliseconds(3));
}

TEST(MeasuredProfile, EmbeddingAndHeadRowsMayBeAbsent)
{
    const auto profile = MeasuredProfile::Parse("profile.csv", header + "0,1,2,1.5,2,3\n");
    EXPECT_EQ(Time(profile, {1, true, true}, 0).forward, Duration::Microseconds(1500));
}

// A profile that measured the embedding apart has layers without it, for every microbatch size.
TEST(MeasuredProfile, EmbeddingAndHeadRowsOfOtherMicrobatchesAloneAreRefused)
{
    for (const auto& [name, share] :
         {std::pair{"embedding", StageShare{1, true, false}}, {"head", StageShare{1, false, true}}})
    {
        const auto profile = MeasuredProfile::Parse(
            "profile.csv", header + "0,1,2,1.5,2,3\n" + name + ",2,2,1,1,1\n");
        EXPECT_NO_THROW(Time(profile, {1, false, false}, 0));
        try
        {
            Time(profile, share, 0);
            ADD_FAILURE() << "taken without " << name;
        }
        catch (const ConfigError& error)
        {
            EXPECT_EQ(std::string(error.what()),
                      std::string("profile.csv: ") + name +
                          ": must have a row on A100-80 for microbatch 1 and tp 2");
        }
    }
    // Another GPU may have its embedding's time in the first layer's.
    const std::string columns = header.substr(0, header.size() - 1) + ",gpu\n";
    const auto mixed = MeasuredProfile::Parse(
        "profile.csv", columns + "0,1,2,1.5,2,3,A100-80\nembedding,1,2,1,1,1,H100\n");
    EXPECT_EQ(Time(mixed, {1, true, false}, 0).forward, Duration::Microseconds(1500));
}

TEST(MeasuredProfile, AGpusOwnRowsComeBeforeThoseOfAnyGpu)
{
    const std::string own = "layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms,"
                            "gpu\n0,1,2,1,2,3,H100\n0,1,2,4,5,6,\n1,1,2,1,2,3,H100\n";
    const auto profile = MeasuredProfile::Parse("profile.csv", own);
    EXPECT_EQ(Time(profile, {1, false, false}, 0).forward, Duration::Milliseconds(4)); // A100's
    EXPECT_THROW(Time(profile, {1, false, false}, 1), ConfigError); // measured on H100 alone
}

TEST(MeasuredProfile, MeasuredOptimizerStepsReplaceTheModels)
{
    const std::string columns =
        "layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms,optimizer_ms\n";
    const auto profile = MeasuredProfile::Parse(
        "profile.csv", columns + "0,1,2,1,2,3,7\n1,1,2,1,2,3,8\nembedding,1,2,1,2,3,9\n");
    EXPECT_EQ(Time(profile, {2, true, false}, 0).optimizerStep, Duration::Milliseconds(24));
    ExpectRefused(columns + "0,1,2,1,2,3,0\n", "line 2: optimizer_ms");
}

TEST(MeasuredProfile, AProfileIsOfOneModel)
{
    ExpectRefused("layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms,model\n"
                  "0,1,2,1,2,3,gpt-a\n0,1,2,1,2,3,gpt-b\n",
                  "must be of one model");
    ExpectRefused(header.substr(0, header.size() - 1) + ",colour\n", "line 1: must name");
}

// The model of the tests has sequences of 128 tokens and BF16.
TEST(MeasuredProfile, IsOfTheModelsSequenceAndPrecision)
{
    const std::string columns = header.substr(0, header.size() - 1) + ",sequence,precision\n";
    const auto of = [&columns](const std::string& ending)
    { return MeasuredProfile::Parse("profile.csv", columns + "0,1,2,1.5,2,3," + ending + "\n"); };
    EXPECT_EQ(Time(of("128,bf16"), {1, false, false}, 0).forward, Duration::Microseconds(1500));
    EXPECT_EQ(Time(of("128,BF16"), {1, false, false}, 0).forward, Duration::Microseconds(1500));
    for (const auto& [ending, rule] : {std::pair{"256,bf16", "sequence: \"256\" must be 128"},
                                       {"128,fp8", "precision: \"FP8\" must be BF16"}})
    {
        try
        {
            Time(of(ending), {1, false, false}, 0);
            ADD_FAILURE() << "taken: " << ending;
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(rule), std::string::npos) << error.what();
        }
    }
    const auto embedding = MeasuredProfile::Parse(
        "profile.csv", columns + "0,1,2,1.5,2,3,128,bf16\nembedding,1,2,1,1,1,128,fp8\n");
    EXPECT_THROW(Time(embedding, {1, true, false}, 0), ConfigError);
    ExpectRefused(columns + "0,1,2,1,2,3,128,int4\n",
                  "line 2: precision: \"int4\" must be one of FP32, TF32, BF16, FP16, FP8");
}

// What a scenario writes in place has no name that a profile could have.
TEST(MeasuredProfile, IsOfTheCataloguesModel)
{
    const std::string columns = header.substr(0, header.size() - 1) + ",model\n";
    const auto profile = MeasuredProfile::Parse("profile.csv", columns + "0,1,2,1.5,2,3,gpt-a\n");
    EXPECT_NO_THROW(Time(profile, {1, false, false}, 0));
    const StageExecution execution{1, 2, Recomputation::None};
    const auto time = [&](const char* model) {
        profile.TimeStage(*FindModel(model), {1, false, false}, *FindGpu("H100"), execution);
    };
    EXPECT_NO_THROW(time("gpt-a"));
    try
    {
        time("gpt-b");
        ADD_FAILURE() << "taken";
    }
    catch (const ConfigError& error)
    {
        EXPECT_STREQ(error.what(),
                     "profile.csv: model: \"gpt-a\" must be gpt-b, the scenario's model");
    }
}

TEST(MeasuredProfile, AMissingLayerIsNamed)
{
    const auto profile = MeasuredProfile::Parse("profile.csv", header + "0,1,2,1.5,2,3\n");
    EXPECT_THROW(Time(profile, {2, false, false}, 0), ConfigError);
    EXPECT_THROW(Time(profile, {1, false, false}, 1), ConfigError);
}

TEST(MeasuredProfile, BadRowsAreRefusedWithTheirLine)
{
    ExpectRefused("", "line 1: must name the columns");
    ExpectRefused("layer,microbatch,tp\n0,1,2\n", "line 1: must name the columns");
    ExpectRefused(header, "at least one row");
    ExpectRefused(header + "0,1,2,1,2\n", "line 2: must have 6 values, not 5");
    ExpectRefused(header + rows + "2,1,2,x,2,3\n",
                  "line 6: forward_ms: \"x\" must be a number of milliseconds");
    ExpectRefused(header + "0,1,2,0,2,3\n", "line 2: forward_ms");
    ExpectRefused(header + "0,1,2,1,-2,3\n", "line 2: backward_input_ms");
    ExpectRefused(header + "0,1,2,1,2,nan\n", "line 2: backward_weight_ms");
    ExpectRefused(header + "0,1,2,1,2,1e300\n", "line 2: backward_weight_ms");
    ExpectRefused(header + "-1,1,2,1,2,3\n", "line 2: layer");
    ExpectRefused(header + "tail,1,2,1,2,3\n", "line 2: layer");
    ExpectRefused(header + "0,0,2,1,2,3\n", "line 2: microbatch");
    ExpectRefused(header + "0,1,0,1,2,3\n", "line 2: tp");
    ExpectRefused(header + "0,1,2,1,2,3\n0,1,2,1,2,3\n", "line 3: layer");
    ExpectRefused(header + "0,1,2,1,2,3\n\n", "line 3: must have 6 values");
}

} // namespace
} // namespace geotrain
