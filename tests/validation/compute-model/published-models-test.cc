// SPDX-License-Identifier: GPL-2.0-only
// Checks the parameter counts of the catalogue against published ones.
#include "workload/model-catalogue.h"
#include "workload/parameter-count.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

void
ExpectParameters(const char* name, double published, double tolerance)
{
    const auto model = FindModel(name);
    ASSERT_TRUE(model) << name;
    EXPECT_NEAR(static_cast<double>(ParameterCount(*model)), published, tolerance * published)
        << name;
}

// Brown et al. 2020, table 2.1 rounds to 175.0 B; the shapes give 174.6 B.
TEST(PublishedParameterCounts, Gpt3)
{
    ExpectParameters("gpt3-175b", 175.0e9, 0.005);
}

// The counts that Hugging Face shows for the released checkpoints, exact to the parameter.
TEST(PublishedParameterCounts, Llama)
{
    ExpectParameters("llama2-70b", 68976648192, 0);
    ExpectParameters("llama3-8b", 8030261248, 0);
    ExpectParameters("llama3-70b", 70553706496, 0);
    ExpectParameters("llama3-405b", 405853388800, 0);
}

} // namespace
} // namespace geotrain
