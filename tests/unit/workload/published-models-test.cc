// SPDX-License-Identifier: GPL-2.0-only
// published-models.json has the shapes of released models as their config.json give them, with the
// sizes that were published: exact ones of dense models, as Hugging Face counts their checkpoints,
// and rounded ones of mixtures of experts. Some count the input embedding among the active
// parameters and some don't; ActiveParameterCount() doesn't.
#include "units/text-file.h"
#include "workload/hugging-face-config.h"
#include "workload/parameter-count.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace geotrain
{
namespace
{

using Json = nlohmann::json;

Json
PublishedModels()
{
    return Json::parse(ReadTextFile(std::string(GEOTRAIN_SOURCE_DIR) +
                                    "/tests/unit/workload/published-models.json"));
}

TransformerSpec
Imported(const Json& published)
{
    return ParseHuggingFaceConfig("config.json", published.at("config").dump());
}

/// Expects a count to be "46.7B" or "1.0T" to the digits given, of which the last may be cut off or
/// rounded: publishers do either.
void
ExpectRounded(double count, const std::string& published, const std::string& name)
{
    const double unit = published.back() == 'T' ? 1e12 : 1e9;
    const auto point = published.find('.');
    const auto digits = point == std::string::npos ? 0 : published.size() - 2 - point;
    const double step = std::pow(10.0, -static_cast<double>(digits));
    EXPECT_NEAR(count / unit, std::stod(published), step) << name << " " << published;
}

TEST(PublishedModels, DenseOnesHaveTheParametersOfTheirCheckpoints)
{
    for (const Json& published : PublishedModels())
    {
        if (published.contains("parameters"))
        {
            EXPECT_EQ(ParameterCount(Imported(published)), published.at("parameters"))
                << published.at("name");
        }
    }
}

TEST(PublishedModels, MixturesHaveTheirTotalAndActiveParameters)
{
    for (const Json& published : PublishedModels())
    {
        if (!published.contains("total"))
        {
            continue;
        }
        const TransformerSpec model = Imported(published);
        const std::string name = published.at("name");
        ExpectRounded(
            static_cast<double>(ParameterCount(model)), published.at("total"), name + " total");
        const std::int64_t embedding =
            published.at("active_counts_embedding") ? VocabularyParameters(model) : 0;
        ExpectRounded(static_cast<double>(ActiveParameterCount(model) + embedding),
                      published.at("active"),
                      name + " active");
    }
}

} // namespace
} // namespace geotrain
