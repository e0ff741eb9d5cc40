// SPDX-License-Identifier: GPL-2.0-only
// Tests that the program fits a GPU that only a scenario knows. Profiles are rows that were measured on
// an H100 (compute-model/timing/profiles), under another GPU's name.
#include "cli-fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace
{

using geotrain::Cli;

constexpr double h100Tflops = 989.4; // gpu-catalogue.cc

class FitGpu : public Cli
{
  protected:
    void WriteProfile(const std::string& gpu)
    {
        const std::string more = "," + gpu + ",2.459280,gpt-a,4096,bf16\n";
        Write("mine.csv",
              "layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms,gpu,"
              "optimizer_ms,model,sequence,precision\n"
              "0,1,1,2.832096,3.488752,3.076128" +
                  more + "0,4,1,11.059392,14.119712,9.941375" + more +
                  "0,1,4,1.119876,1.312372,0.793168" + more);
    }

    /// Writes a scenario of nothing but a GPU, with the H100's figures of `geotrain list gpus` but for
    /// its peak.
    void WriteScenario(double peakTflops)
    {
        Write("mine.textproto",
              "gpu_type { name: \"mine\" peak_tflops: " + std::to_string(peakTflops) +
                  " memory: \"80GB\" bandwidth_gb_per_s: 3350 nvlink_gb_per_s: 450 }");
    }

    nlohmann::json Fit(const std::string& arguments)
    {
        const auto outcome = Geotrain("fit-gpu mine.csv --json " + arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        return outcome.code == 0 ? nlohmann::json::parse(outcome.out) : nlohmann::json();
    }
};

TEST_F(FitGpu, AScenariosOwnGpuIsFittedAsTheCataloguesOfTheSameFigures)
{
    WriteProfile("H100");
    auto known = Fit("");
    WriteProfile("mine");
    WriteScenario(h100Tflops);
    auto own = Fit("--scenario mine.textproto");
    EXPECT_EQ(own["gpu"], "mine");
    own.erase("gpu");
    known.erase("gpu");
    EXPECT_EQ(own, known);
}

// Products and attention take FLOPs / (peak x share), so that twice the peak has half the share, where
// both shares are below 1, the greatest. The search's steps on the way differ, and end within 1 %.
TEST_F(FitGpu, TwiceThePeakHasHalfTheShareOfIt)
{
    WriteProfile("mine");
    WriteScenario(2 * h100Tflops);
    const auto once = Fit("--scenario mine.textproto");
    WriteScenario(4 * h100Tflops);
    const auto twice = Fit("--scenario mine.textproto");
    for (const char* share : {"matmul_efficiency", "attention_efficiency"})
    {
        EXPECT_NEAR(twice[share].get<double>() / once[share].get<double>(), 0.5, 0.005) << share;
    }
    EXPECT_NEAR(twice["memory_efficiency"].get<double>() / once["memory_efficiency"].get<double>(),
                1,
                0.01);
}

TEST_F(FitGpu, TheErrorSaysWhereAnOwnGpuComesFrom)
{
    WriteProfile("mine");
    WriteScenario(h100Tflops);
    const auto unknown = Geotrain("fit-gpu mine.csv");
    EXPECT_EQ(unknown.code, 1);
    EXPECT_NE(unknown.error.find("mine.csv: gpu: \"mine\""), std::string::npos) << unknown.error;
    EXPECT_NE(unknown.error.find("--scenario"), std::string::npos) << unknown.error;
    Write("mine.textproto", "gpu_type { name: \"mine\" peak_tflops: 989 }");
    EXPECT_EQ(Geotrain("fit-gpu mine.csv --scenario mine.textproto").error,
              "mine.textproto: gpu_type[0].memory: must be set\n");
    EXPECT_EQ(Geotrain("fit-gpu mine.csv --scenario nowhere.textproto").code, 1);
}

} // namespace
