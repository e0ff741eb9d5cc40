// SPDX-License-Identifier: GPL-2.0-only
// Searches plans for every scenario of the library to which `plan` applies. library-plan-test.cc says
// which it refuses, and why.
#include "library-search.h"

#include "units/config-error.h"

namespace geotrain
{
namespace
{

std::vector<std::string>
LibraryNames()
{
    std::vector<std::string> names;
    for (const auto& scenario : ScenarioLibrary())
    {
        names.push_back(scenario.name);
    }
    return names;
}

class LibrarySearch : public testing::TestWithParam<std::string>
{
};

TEST_P(LibrarySearch, FindsAPlanAtLeastAsGoodAsTheScenarioAndEstimatesTheBestWithin15Percent)
{
    try
    {
        LoadForPlanning(ReadScenarioText(GetParam()));
    }
    catch (const ConfigError& error)
    {
        GTEST_SKIP() << error.what();
    }
    ExpectSearchHolds(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Library, LibrarySearch, testing::ValuesIn(LibraryNames()));

} // namespace
} // namespace geotrain
