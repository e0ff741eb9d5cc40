// SPDX-License-Identifier: GPL-2.0-only
// Tests quantities as text, transmission times, and random streams.
#include "units/bytes.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"
#include "units/random-stream.h"
#include "units/text-file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace geotrain
{
namespace
{

TEST(QuantityParser, DurationsOfEveryUnit)
{
    EXPECT_EQ(ParseDuration("7ns").ToNanoseconds(), 7);
    EXPECT_EQ(ParseDuration("1.5us").ToNanoseconds(), 1500);
    EXPECT_EQ(ParseDuration("20ms").ToNanoseconds(), 20000000);
    EXPECT_EQ(ParseDuration("2 s").ToNanoseconds(), 2000000000);
    EXPECT_EQ(ParseDuration("1min").ToNanoseconds(), 60000000000);
    EXPECT_EQ(ParseDuration("1h").ToNanoseconds(), 3600000000000);
    EXPECT_EQ(ParseDuration("-3ms").ToNanoseconds(),
              -3000000); // whether it may be is the field's rule
}

TEST(QuantityParser, RatesAreDecimalInBothSpellings)
{
    EXPECT_EQ(ParseBitRate("5Gbps").ToBitsPerSecond(), 5000000000);
    EXPECT_EQ(ParseBitRate("5Gbit/s").ToBitsPerSecond(), 5000000000);
    EXPECT_EQ(ParseBitRate("0.5Mbps").ToBitsPerSecond(), 500000);
}

TEST(QuantityParser, SizesAreDecimalOrBinaryAsWritten)
{
    EXPECT_EQ(ParseBytes("1.5MB").Count(), 1500000);
    EXPECT_EQ(ParseBytes("1KiB").Count(), 1024);
    EXPECT_EQ(ParseBytes("2GiB").Count(), 2147483648);
}

TEST(QuantityParser, OnlyZeroNeedsNoUnit)
{
    EXPECT_EQ(ParseDuration("0").ToNanoseconds(), 0);
    EXPECT_THROW(ParseDuration("20"), std::invalid_argument);
}

TEST(QuantityParser, RefusesWhatIsNoQuantity)
{
    for (const char* text :
         {"", "ms", "20 minutes", "20msx", "1e400s", "nan s", "inf s", "20MS", " 20ms"})
    {
        EXPECT_THROW(ParseDuration(text), std::invalid_argument) << text;
    }
    EXPECT_THROW(ParseBytes("5Gbps"), std::invalid_argument);
    EXPECT_THROW(ParseBytes("10000000TB"), std::invalid_argument); // 1e19 bytes: beyond int64
}

TEST(QuantityParser, FormatIsTheInverseOfParse)
{
    RandomStream random(1, "test", "quantities");
    for (int i = 0; i < 1000; ++i)
    {
        const double magnitude = random.Uniform() * 15; // up to 1e15: exact in a double
        const auto value = std::llround(std::pow(10, magnitude));
        const auto span = Duration::Nanoseconds(value);
        const auto rate = BitRate::BitsPerSecond(value);
        const auto size = Bytes::Of(value);
        EXPECT_EQ(ParseDuration(Format(span)), span) << Format(span);
        EXPECT_EQ(ParseBitRate(Format(rate)), rate) << Format(rate);
        EXPECT_EQ(ParseBytes(Format(size)), size) << Format(size);
    }
}

TEST(QuantityParser, FormatTakesTheLargestUnitThatIsExact)
{
    EXPECT_EQ(Format(Duration::Milliseconds(20)), "20ms");
    EXPECT_EQ(Format(Duration::Microseconds(1500)), "1500us");
    EXPECT_EQ(Format(BitRate::GigabitsPerSecond(5)), "5Gbps");
    EXPECT_EQ(Format(Bytes::Of(1500000)), "1500kB");
}

// size x 8 / rate, up to the next nanosecond.
TEST(BitRate, TransmissionTimeIsRoundedUp)
{
    const BitRate rate = BitRate::GigabitsPerSecond(3);
    EXPECT_EQ(rate.TransmissionTime(Bytes::Of(1)).ToNanoseconds(), 3); // 2.67
    EXPECT_EQ(rate.TransmissionTime(Bytes::Of(3)).ToNanoseconds(), 8); // 8 exactly
}

// A terabyte at 1 Mbit/s: 8e12 bits x 1e9 is beyond 64 bits before the division.
TEST(BitRate, TransmissionTimeOfManyBitsDoesNotOverflow)
{
    EXPECT_EQ(
        BitRate::BitsPerSecond(1000000).TransmissionTime(Bytes::Of(1000000000000)).ToNanoseconds(),
        8000000000000000);
}

TEST(RandomStream, SameNamesAndSeedGiveTheSameDraws)
{
    RandomStream first(7, "link", "a-b");
    RandomStream second(7, "link", "a-b");
    for (int i = 0; i < 100; ++i)
    {
        EXPECT_EQ(first.Uniform(), second.Uniform());
    }
}

TEST(RandomStream, AnotherSeedComponentOrEntityGivesOtherDraws)
{
    const double draw = RandomStream(7, "link", "a-b").Uniform();
    EXPECT_NE(draw, RandomStream(8, "link", "a-b").Uniform());
    EXPECT_NE(draw, RandomStream(7, "loss", "a-b").Uniform());
    EXPECT_NE(draw, RandomStream(7, "link", "b-a").Uniform());
}

// The values are golden: a changed hash would change every result that was published with a seed.
TEST(RandomStream, StreamNumbersNeverChange)
{
    // FNV-1a (64 bit) of "link/a-b", computed outside, without its lowest two bits.
    EXPECT_EQ(StreamNumber("link", "a-b"), 1192890512601761146);
}

// Mean 1/2 and variance 1/12 of n draws: standard errors 0.29/sqrt(n) and 0.075/sqrt(n); five of
// them.
TEST(RandomStream, UniformHasItsMoments)
{
    RandomStream random(3, "test", "uniform");
    constexpr int draws = 100000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; ++i)
    {
        const double value = random.Uniform();
        ASSERT_GT(value, 0);
        ASSERT_LT(value, 1);
        sum += value;
        squares += (value - 0.5) * (value - 0.5);
    }
    EXPECT_NEAR(sum / draws, 0.5, 5 * 0.29 / std::sqrt(draws));
    EXPECT_NEAR(squares / draws, 1.0 / 12, 5 * 0.075 / std::sqrt(draws));
}

// Mean 0 and variance 1 of n draws: standard errors 1/sqrt(n) and sqrt(2/n); five of them.
TEST(RandomStream, NormalHasItsMoments)
{
    RandomStream random(3, "test", "normal");
    constexpr int draws = 100000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; ++i)
    {
        const double value = random.Normal();
        sum += value;
        squares += value * value;
    }
    EXPECT_NEAR(sum / draws, 0, 5 / std::sqrt(draws));
    EXPECT_NEAR(squares / draws, 1, 5 * std::sqrt(2.0 / draws));
}

TEST(ConfigError, NamesFileFieldValueAndRule)
{
    EXPECT_STREQ(ConfigError("a.textproto", "wan_link[2].delay", "-3ms", "must be >= 0").what(),
                 "a.textproto: wan_link[2].delay: \"-3ms\" must be >= 0");
    EXPECT_STREQ(ConfigError("a.textproto", "", "", "is empty").what(), "a.textproto: is empty");
}

TEST(ConfigError, IsOneShortLineWhateverIsQuoted)
{
    EXPECT_STREQ(ConfigError("a\n.gml", "node\t1", "\033[31mx\x7f", "is no\r node").what(),
                 "a\\n.gml: node\\x091: \"\\x1b[31mx\\x7f\" is no\\x0d node");
    const std::string most(100, 'x');
    EXPECT_EQ(ConfigError("", "", most, "!").what(), "\"" + most + "\" !");
    EXPECT_EQ(ConfigError("", "", most + "x", "!").what(), "\"" + most + "... (101 bytes)\" !");
    // The 100th byte is within a character of two bytes, which is left out.
    EXPECT_EQ(ConfigError("", "", most.substr(1) + "\u00e9", "!").what(),
              "\"" + most.substr(1) + "... (101 bytes)\" !");
    const std::string endless(1000000, 'x');
    EXPECT_LT(std::string(ConfigError(endless, endless, endless, endless).what()).size(), 3300u);
}

TEST(TextFile, RefusesWhatCannotBeRead)
{
    const auto error = [](const std::string& path)
    {
        try
        {
            return ReadTextFile(path);
        }
        catch (const ConfigError& refused)
        {
            return std::string(refused.what());
        }
    };
    EXPECT_EQ(error("/no/such/file"), "/no/such/file: cannot be read (No such file or directory)");
    EXPECT_EQ(error("/usr"), "/usr: cannot be read (Is a directory)");
}

} // namespace
} // namespace geotrain
