// SPDX-License-Identifier: GPL-2.0-only
// Tests what a text that is no scenario is told: place and Protobuf's message.
#include "small-scenario.h"

#include "schema/scenario.pb.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace geotrain
{

namespace
{

/// BrokenText is a text that can't be parsed, and what its error says.
struct BrokenText
{
    std::string text;
    std::string place; ///< where Protobuf's parser stops
    std::string part;  ///< of its message
};

const std::vector<BrokenText> brokenTexts{
    {"model { mikrobatches: 3 }", "line 1, column 21", "no field named \"mikrobatches\""},
    {"mtu: 1.2.3", "line 1, column 9", ""},
    {"name: \"abc\nmtu: 3", "line 1, column 11", ""},
    {"name: \"abc", "line 1, column 11", ""},
    {"mtu: abc", "line 1, column 6", "got: abc"},
    {"mtu: 99999999999999999999", "line 1, column 6", "99999999999999999999"},
    {"wan_link { delay: 20ms }", "line 1, column 21", ""},
    {"mtu: 3 mtu: 4", "line 1, column 11", "\"mtu\""},
    {"sharing: TEMPORAAL", "line 1, column 19", "\"TEMPORAAL\" for field \"sharing\""},
    {std::string(100000, 'n') + ": 5", "line 1, column 100001", "nnn"},
    {"mtu: " + std::string(100000, '9'), "line 1, column 6", "999"},
    {"}", "line 1, column 1", "got: }"},
    {"\n\n  ]", "line 3, column 3", "got: ]"},
    {"model {", "line 1, column 8", ""},
    {"mtu = 9000", "line 1, column 5", "\"=\""},
    {"{\"name\": \"x\"}", "line 1, column 1", "got: {"},
    {std::string("mtu: 3\0", 7), "line 1, column 7", ""},
};

TEST(LoaderErrors, ABrokenTextIsNamedByLineColumnAndProtobufsMessage)
{
    for (const auto& broken : brokenTexts)
    {
        const auto error = ErrorOfText(broken.text);
        EXPECT_EQ(error.rfind("small.textproto: " + broken.place + ": ", 0), 0U)
            << broken.place << "\n"
            << error;
        EXPECT_NE(error.find(broken.part), std::string::npos) << broken.part << "\n" << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
        EXPECT_LT(error.size(), 1200U);
    }
}

TEST(ScenarioTexts, TakeNumbersInPerCent)
{
    const auto scenario = ParseScenario("# 5% of \"this\n"
                                        "name: 'a\\'5%' wan_link { loss: 0.01% }\n"
                                        "wan_link { loss: 5.% } # \"7%",
                                        "file");
    EXPECT_EQ(scenario.name(), "a'5%");
    EXPECT_EQ(scenario.wan_link(0).loss(), 1e-4);
    EXPECT_EQ(scenario.wan_link(1).loss(), 0.05);
    EXPECT_THROW(ParseScenario("wan_link { loss: % }", "file"), ConfigError);
    EXPECT_THROW(ParseScenario("mtu: 15%", "file"), ConfigError); // no share
}

TEST(LoaderErrors, AByteThatIsNotUtf8IsNamedByItsLine)
{
    EXPECT_EQ(ErrorOfText("mtu: 3\nname: \"\xff\""),
              "small.textproto: line 2: has a byte that is not UTF-8");
}

TEST(LoaderErrors, AValueThatIsNoneListsWhatItMayBe)
{
    EXPECT_EQ(ErrorOfSmall({"sharing=temporal"}),
              "--set: sharing: \"temporal\" must be SPATIAL or TEMPORAL");
}

TEST(LoaderErrors, AValueThatIsNoneIsNamedWithItsField)
{
    const auto begin = [](const std::string& field, const std::string& value)
    { return "--set: " + field + ": \"" + value + "\" is no value of this field: "; };
    EXPECT_EQ(ErrorOfSmall({"model.microbatches=many"}).rfind(begin("model.microbatches", "many")),
              0U);
    EXPECT_EQ(ErrorOfSmall({"transport.hystart=maybe"}).rfind(begin("transport.hystart", "maybe")),
              0U);
    EXPECT_EQ(ErrorOfSmall({"wan_link[0].loss=1.2.3"}).rfind(begin("wan_link[0].loss", "1.2.3")),
              0U);
}

TEST(LoaderErrors, ANumberForAnEnumerationIsRefusedWhereItHasNoName)
{
    EXPECT_EQ(ErrorOfText(SmallScenarioText() + "sharing: 7\n"),
              "small.textproto: sharing: \"7\" must be SPATIAL or TEMPORAL");
}

} // namespace

} // namespace geotrain
