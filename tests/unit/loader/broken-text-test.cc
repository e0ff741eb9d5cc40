// SPDX-License-Identifier: GPL-2.0-only
// Tests what a text that is no scenario is told: place and plain words, no message of Protobuf's.
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace geotrain
{

namespace
{

TEST(LoaderErrors, UnknownFieldIsNamedWithItsLine)
{
    try
    {
        LoadScenario(AsText("name: \"x\"\nmodel { mikrobatches: 3 }\n"));
        FAIL();
    }
    catch (const ConfigError& error)
    {
        EXPECT_STREQ(
            error.what(),
            "small.textproto: line 2, column 9: \"model { mikrobatches: 3 }\" mikrobatches is no "
            "field of Model; "
            "the nearest are microbatches, microbatch_size, profile");
    }
}

TEST(LoaderErrors, NumberBeyond64BitsIsNamedWithItsLine)
{
    try
    {
        LoadScenario(AsText("mtu: 99999999999999999999\n"));
        FAIL();
    }
    catch (const ConfigError& error)
    {
        const std::string line = error.what();
        EXPECT_EQ(line.find("small.textproto: line 1, column 6: \"mtu: 99999999999999999999\" "),
                  0U)
            << line;
        EXPECT_EQ(line.find('\n'), std::string::npos);
    }
}

/// BrokenText is a text that can't be parsed, and what its error says.
struct BrokenText
{
    std::string text;
    std::string place; ///< where it is broken
    std::string rule;
};

const std::vector<BrokenText> brokenTexts{
    {"mtu: 1.2.3", "line 1, column 9", "has a number with more than one decimal point or exponent"},
    {"name: \"abc\nmtu: 3", "line 1, column 11", "has a text without its closing quote"},
    {"name: \"abc", "line 1, column 11", "has a text without its closing quote"},
    {"name: 'abc", "line 1, column 11", "has a text without its closing quote"},
    {"mtu: abc", "line 1, column 6", "has abc where a whole number is expected"},
    {"mtu: 1.5", "line 1, column 6", "has 1.5 where a whole number is expected"},
    {"mtu: \"12\"", "line 1, column 6", "has \"12\" where a whole number is expected"},
    {"mtu: [1, 2]", "line 1, column 6", "has a list where a whole number is expected"},
    {"mtu:", "line 1, column 5", "ends where a whole number is expected"},
    {"mtu: 99999999999999999999", "line 1, column 6", "out of this field's range"},
    {"mtu: 08", "line 1, column 7", "has a number that begins with 0"},
    {"mtu: 0x", "line 1, column 8", "has 0x without a number behind it"},
    {"mtu: 12abc", "line 1, column 8", "has letters right behind a number"},
    {"wan_link { delay: 20ms }", "line 1, column 21", "stands in quotes: \"20ms\""},
    {"wan_link { loss: 1e }", "line 1, column 20", "has a number whose exponent is missing"},
    {"wan_link { loss: much }", "line 1, column 18", "has much where a number is expected"},
    {"mtu: 3 mtu: 4", "line 1, column 8", "sets mtu a second time"},
    {"caps { } caps { }", "line 1, column 10", "sets caps a second time"},
    {"model { transformer { } catalogue: \"x\" }", "line 1, column 25", "sets catalogue beside"},
    {"sharing: TEMPORAAL", "line 1, column 10", "is expected: SPATIAL or TEMPORAL"},
    {"sharing: \"TEMPORAL\"",
     "line 1, column 10",
     "without quotes, is expected: SPATIAL or TEMPORAL"},
    {"transport { bearer: express }", "line 1, column 21", "EXPRESS, STOCK or DEVICE"},
    {"transport { hystart: maybe }", "line 1, column 22", "has maybe where true or false is"},
    {"transport { ecn: \"true\" }", "line 1, column 18", "has \"true\" where true or false is"},
    {std::string(100000, 'n') + ": 5", "line 1, column 1", "n... is no field of Scenario"},
    {"mtu: " + std::string(100000, '9'), "line 1, column 6", "9..., which is out of this field's"},
    {"sharing: " + std::string(100000, 'X'), "line 1, column 10", "X... where a value of sharing"},
    {"}", "line 1, column 1", "has a } that closes nothing"},
    {"\n\n  ]", "line 3, column 3", "has ] where the name of a field is expected"},
    {"mtu: 3\n}\n", "line 2, column 1", "has a } that closes nothing"},
    {"model {", "line 1, column 8", "ends before a } closes the last {"},
    {"model: 5", "line 1, column 8", "has 5 where { is expected; its fields stand in braces"},
    {"model < sequence: 12 }", "line 1, column 22", "has } where > is expected"},
    {"wan_link [ { from: \"a\" }", "line 1, column 25", "ends where , is expected"},
    {"mtu 9000", "line 1, column 5", "a field is written as in mtu: 9000"},
    {"mtu = 9000", "line 1, column 5", "has = where : is expected"},
    {"name: mine", "line 1, column 7", "has mine where a text in quotes is expected"},
    {"name: \"\\q\"", "line 1, column 9", "has a text with a \\ that no known letter follows"},
    {"{\"name\": \"x\"}", "line 1, column 1", "a scenario is no JSON"},
    {"[foo.bar] { }", "line 1, column 9", "has [foo.bar] where the name of a field is expected"},
    {"/* a */", "line 1, column 1", "has / where the name of a field is expected"},
    {"1: 5", "line 1, column 1", "has 1 where the name of a field is expected"},
    {"\tmtu: x", "line 1, column 7", "has x where a whole number is expected"},
    {"# \xc3\xa9\nname: \"\xc3\xa9\" mtu: x", "line 2, column 16", "has x where"},
    {"mtu: 3\nname: \"\xff\"", "line 2, column 8", "has a byte that is not UTF-8"},
    {"n\xc3\xa9: 3", "line 1, column 2", "outside of quotes and comments"},
    {std::string("mtu: 3\0", 7), "line 1, column 7", "has a control character"},
    {"sharing: BOTH # one\nmtu: 3", "line 1, column 10", "has BOTH where"},
    {"modl { }", "line 1, column 1", "modl is no field of Scenario; the nearest are model"},
};

TEST(LoaderErrors, ABrokenTextIsNamedByLineColumnAndPlainWords)
{
    for (const auto& broken : brokenTexts)
    {
        const auto error = ErrorOfText(broken.text);
        EXPECT_EQ(error.rfind("small.textproto: " + broken.place + ": ", 0), 0U)
            << broken.place << "\n"
            << error;
        EXPECT_NE(error.find(broken.rule), std::string::npos) << broken.rule << "\n" << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
}

TEST(LoaderErrors, AValueThatIsNoneListsWhatItMayBe)
{
    EXPECT_EQ(ErrorOfSmall({"sharing=temporal"}),
              "--set: sharing: \"temporal\" must be SPATIAL or TEMPORAL");
    EXPECT_EQ(
        ErrorOfSmall({"model.microbatches=many"}),
        "--set: model.microbatches: \"many\" must be a whole number within the field's range");
    EXPECT_EQ(ErrorOfSmall({"transport.hystart=maybe"}),
              "--set: transport.hystart: \"maybe\" must be true or false");
    EXPECT_EQ(ErrorOfSmall({"wan_link[0].loss=1.2.3"}),
              "--set: wan_link[0].loss: \"1.2.3\" must be a number");
}

TEST(LoaderErrors, ANumberForAnEnumerationIsRefusedWhereItHasNoName)
{
    EXPECT_EQ(ErrorOfText(SmallScenarioText() + "sharing: 7\n"),
              "small.textproto: sharing: \"7\" must be SPATIAL or TEMPORAL");
}

} // namespace

} // namespace geotrain
