// SPDX-License-Identifier: GPL-2.0-only
// Tests what is read of texts: cells of CSV, JSON, files, and quantities at the edges of their ranges.
#include "error-text.h"
#include "temporary-folder.h"
#include "units/bytes.h"
#include "units/csv-cells.h"
#include "units/json-text.h"
#include "units/quantity-parser.h"
#include "units/text-file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace geotrain
{
namespace
{

using Cells = std::vector<std::string>;

// RFC 4180, section 2.
TEST(CsvCellsTest, FollowTheRfc)
{
    const std::pair<const char*, Cells> cases[] = {
        {"", {""}},
        {"a", {"a"}},
        {"a,b", {"a", "b"}},
        {",", {"", ""}},
        {"a,,b,", {"a", "", "b", ""}},
        {"\"a,b\",c", {"a,b", "c"}},
        {"\"say \"\"x\"\"\"", {"say \"x\""}},
        {"\"\",\"\"", {"", ""}},
        {"a,b\r", {"a", "b"}},
        {" a , b ", {" a ", " b "}}, // spaces are part of a cell
        {"\"open,b", {"open,b"}}};
    for (const auto& [line, cells] : cases)
    {
        EXPECT_EQ(CsvCells(line), cells) << line;
    }
}

std::string
Nested(std::size_t depth)
{
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JsonText, ReadsValuesOfAllTypes)
{
    const auto json = ParseJson(R"({"a": [1, -2.5, true, null], "b": {"c": "d\"e[["}})", "f.json");
    EXPECT_EQ(json["a"][1], -2.5);
    EXPECT_EQ(json["b"]["c"], "d\"e[[");
}

TEST(JsonText, NestsSixtyFourDeepAtMost)
{
    EXPECT_NO_THROW(ParseJson(Nested(64), "f.json"));
    EXPECT_EQ(ErrorText([] { ParseJson(Nested(65), "f.json"); }),
              "f.json: must nest lists and objects 64 deep at most");
    EXPECT_NO_THROW(ParseJson("\"" + std::string(1000, '[') + "\"", "f.json")); // within a text
    EXPECT_NO_THROW(ParseJson("\"\\\"" + std::string(1000, '{') + "\"", "f.json"));
}

// A million brackets would overflow the stack of one who walks over them.
TEST(JsonText, RefusesHostileDepthAtOnce)
{
    EXPECT_NE(ErrorText([] { ParseJson(std::string(1000000, '['), "f.json"); }), "");
}

TEST(JsonText, RefusalsNameTheByte)
{
    const std::pair<const char*, const char*> cases[] = {
        {"{\"a\": }", "f.json: byte 7: must be valid JSON"},
        {"", "f.json: byte 1: must be valid JSON"},
        {"[1] x", "f.json: byte 5: must be valid JSON"},
        {"1e999", "f.json: must be JSON with numbers that can be stored"}};
    for (const auto& [text, error] : cases)
    {
        EXPECT_EQ(ErrorText([&, json = text] { ParseJson(json, "f.json"); }), error);
    }
}

TEST(TextFiles, LoseTheirByteOrderMarkAndNothingElse)
{
    const TemporaryFolder folder;
    const std::pair<std::string, std::string> cases[] = {
        {"\xEF\xBB\xBFtext", "text"},
        {"text\xEF\xBB\xBF", "text\xEF\xBB\xBF"},
        {"", ""},
        {std::string("a\0b\r\n", 5), std::string("a\0b\r\n", 5)}};
    for (const auto& [bytes, text] : cases)
    {
        std::ofstream(folder / "f", std::ios::binary | std::ios::trunc) << bytes;
        EXPECT_EQ(ReadTextFile((folder / "f").string()), text);
    }
}

TEST(TextFiles, ThoseOfOtherProgramsAreSaidToBeWhatTheyAre)
{
    const TemporaryFolder folder;
    const std::tuple<const char*, std::string, const char*> cases[] = {
        {"rank.0.et", std::string("\x07\n\x05", 3) + "0.0.4H", "a Chakra execution trace"},
        {"a.json", R"({"start": {"version": "iperf 3.12"}, "intervals": []})", "iperf3"},
        {"b.json", R"({"intervals": [{"sum": {"bits_per_second": 1}}]})", "iperf3"},
        {"c.json", "\x1f\x8b\x08", "a gzip archive"},
        {"d", "\xd4\xc3\xb2\xa1", "a packet capture"},
        {"f", std::string(9, '\0'), "a binary file"},
        {"scenario.textproto", "# iperf 3.12 and intervals", ""},
        {"e.json", R"({"intervals": []})", ""}};
    for (const auto& [name, text, what] : cases)
    {
        std::ofstream(folder / name, std::ios::binary) << text;
        const auto error = ErrorText([&, path = (folder / name).string()] { ReadTextFile(path); });
        EXPECT_EQ(error.empty(), std::string(what).empty()) << error;
        EXPECT_NE(error.find(what), std::string::npos) << error;
    }
}

/// Returns the rule that the parser says is broken; empty where none is.
template <typename Parser>
std::string
BrokenRule(Parser parse, const std::string& text)
{
    return ErrorText<std::invalid_argument>([&] { parse(text); });
}

TEST(QuantityRules, SayTheUnits)
{
    const std::string durations = "must be a time with one of the units ns, us, ms, s, min, h";
    for (const auto* text : {"", "x", "ms", "5 parsecs", "5m", "5MS", "nan s", "inf s", "0x5ms"})
    {
        EXPECT_EQ(BrokenRule(ParseDuration, text), durations) << text;
    }
    EXPECT_EQ(BrokenRule(ParseDuration, "5"), durations + "; it has no unit");
    EXPECT_EQ(BrokenRule(ParseBitRate, "5GB"),
              "must be a rate with one of the units bps, kbps, Mbps, Gbps, Tbps");
    EXPECT_NE(BrokenRule(ParseBytes, "5mb").find("KiB, MiB, GiB, TiB"), std::string::npos);
}

// 2^63 ns are 9.22e18; the most that is taken is 9e18.
TEST(QuantityRules, BoundWhatSixtyFourBitsHold)
{
    EXPECT_EQ(ParseDuration("9e18ns").ToNanoseconds(), 9000000000000000000);
    EXPECT_EQ(BrokenRule(ParseDuration, "9.1e18ns"), "is too large");
    EXPECT_EQ(BrokenRule(ParseDuration, "-9.1e18ns"), "is too large");
    EXPECT_EQ(BrokenRule(ParseDuration, "1e300h"), "is too large");
    EXPECT_EQ(BrokenRule(ParseBytes, "1e10TB"), "is too large"); // 1e22
}

TEST(QuantityRules, RoundToTheWholeUnit)
{
    EXPECT_EQ(ParseDuration("1.4ns").ToNanoseconds(), 1);
    EXPECT_EQ(ParseDuration("1.5ns").ToNanoseconds(), 2);
    EXPECT_EQ(ParseDuration("-1.5us").ToNanoseconds(), -1500);
    EXPECT_EQ(ParseBytes("0.1kB").Count(), 100);
    EXPECT_EQ(std::stod(ShareText("0.01%")), 1e-4);
    EXPECT_EQ(std::stod(ShareText("100%")), 1);
    for (const auto* text : {"", "%", "1e-3", "a%", "1%%", "-1%"})
    {
        EXPECT_EQ(ShareText(text), text);
    }
    EXPECT_EQ(ParseDuration("20 ms"), ParseDuration("20ms")); // a space may stand before the unit
}

TEST(QuantityTexts, AreReadBackForValuesOfAllSizes)
{
    for (std::int64_t value = 1; value < std::numeric_limits<std::int64_t>::max() / 20; value *= 7)
    {
        if (value < (std::int64_t{1} << 53)) // beyond, a double has no room for all digits
        {
            EXPECT_EQ(ParseDuration(Format(Duration::Nanoseconds(value))).ToNanoseconds(), value);
            EXPECT_EQ(ParseBytes(Format(Bytes::Of(value))).Count(), value);
            const auto rate = BitRate::BitsPerSecond(value);
            EXPECT_EQ(ParseBitRate(Format(rate)).ToBitsPerSecond(), value);
        }
    }
}

// What fits into a span takes no longer than it; one byte more does. In() rounds down and
// TransmissionTime() up.
TEST(Rates, CarryInASpanWhatTakesThatSpan)
{
    for (const std::int64_t bps :
         {std::int64_t{9600}, std::int64_t{1234567}, std::int64_t{400000000000}})
    {
        const auto rate = BitRate::BitsPerSecond(bps);
        for (const std::int64_t ns :
             {std::int64_t{1000}, std::int64_t{40000000}, std::int64_t{3600000000000}})
        {
            const auto span = Duration::Nanoseconds(ns);
            const auto size = rate.In(span);
            EXPECT_LE(rate.TransmissionTime(size), span);
            EXPECT_GT(rate.TransmissionTime(size + Bytes::Of(1)), span);
        }
    }
}

TEST(Instants, AreOrderedAndNeverIsTheLast)
{
    const auto start = Instant();
    const auto later = start + Duration::Milliseconds(5);
    EXPECT_LT(start, later);
    EXPECT_LT(start - Duration::Nanoseconds(1), start); // while connections are warmed
    EXPECT_LT(later, Instant::Never());
    EXPECT_EQ(later - start, Duration::Microseconds(5000));
    EXPECT_EQ(Duration::Seconds(1e-9 * 2.5).ToNanoseconds(), 3); // half away from zero
}

} // namespace
} // namespace geotrain
