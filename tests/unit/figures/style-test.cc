// SPDX-License-Identifier: GPL-2.0-only
// Colours survive a grey print, and a name has the same look in every figure. Text is broken
// between words.
#include "figures/style.h"

#include "figures/legend.h"
#include "figures/text-lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <tuple>

namespace geotrain
{
namespace
{

/// Returns the luminance L* of "#rrggbb" in CIELAB, 0 to 100: sRGB to Y, then
/// L* = 116 Y^(1/3) - 16 for Y > 0.008856.
double
LuminanceOf(const std::string& colour)
{
    const auto channel = [&](std::size_t at)
    {
        const double value = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

std::tuple<std::string, int, int>
Look(const SeriesStyle& style)
{
    return {style.colour, style.dash, style.marker};
}

TEST(Style, ColoursDifferInLuminance)
{
    EXPECT_NEAR(LuminanceOf("#ffffff"), 100, 0.01);
    EXPECT_NEAR(LuminanceOf("#777777"), 50.03, 0.1); // the well-known middle grey
    for (std::size_t a = 0; a < seriesColours; ++a)
    {
        const double luminance = LuminanceOf(StyleOfSlot(a).colour);
        EXPECT_LT(luminance, 82) << "too light on white paper";
        for (std::size_t b = 0; b < a; ++b)
        {
            EXPECT_GT(std::abs(luminance - LuminanceOf(StyleOfSlot(b).colour)), 7)
                << StyleOfSlot(a).colour << " " << StyleOfSlot(b).colour;
        }
    }
}

TEST(Style, FollowsTheCongestionControlWithWhichANameBegins)
{
    const auto styles =
        StylesOf({"TcpBbr3", "TcpBbr3, cold", "ns3::TcpCubic, 8 connections", "TcpBbr3, warm"});
    EXPECT_EQ(Look(styles[0]), Look(StylesOf({"TcpBbr3"})[0]));
    EXPECT_STREQ(styles[1].colour, styles[0].colour);
    EXPECT_STREQ(styles[3].colour, styles[0].colour);
    EXPECT_STREQ(styles[2].colour, StylesOf({"ns3::TcpCubic"})[0].colour);
    const std::set looks{Look(styles[0]), Look(styles[1]), Look(styles[3])};
    EXPECT_EQ(looks.size(), 3U);
}

TEST(Style, FollowsTheStagesWithWhichANameBegins)
{
    const auto styles = StylesOf({"PP 4, median", "PP 4, 90 %", "PP 1, median"});
    EXPECT_STREQ(styles[0].colour, StylesOf({"PP 4"})[0].colour);
    EXPECT_STREQ(styles[1].colour, styles[0].colour);
    EXPECT_NE(Look(styles[1]), Look(styles[0]));
    EXPECT_STREQ(styles[2].colour, StylesOf({"PP 1"})[0].colour);
}

TEST(Style, NeighboursDifferMuchInLuminance)
{
    for (std::size_t slot = 0; slot + 1 < seriesColours; ++slot)
    {
        EXPECT_GT(std::abs(LuminanceOf(StyleOfSlot(slot).colour) -
                           LuminanceOf(StyleOfSlot(slot + 1).colour)),
                  7);
    }
}

TEST(Style, FortySeriesHaveFortyLooks)
{
    std::set<std::tuple<std::string, int, int>> looks;
    for (std::size_t slot = 0; slot < 40; ++slot)
    {
        looks.insert(Look(StyleOfSlot(slot)));
    }
    EXPECT_EQ(looks.size(), 40u);
}

TEST(Style, FollowsTheNameNotThePlace)
{
    const auto both = StylesOf({"TcpCubic", "TcpBbr"});
    const auto turned = StylesOf({"TcpBbr", "something else", "geotrain::TcpCubic"});
    EXPECT_EQ(Look(both[0]), Look(turned[2]));
    EXPECT_EQ(Look(both[1]), Look(turned[0]));
    EXPECT_EQ(Look(StylesOf({"a", "b"})[1]), Look(StylesOf({"b"})[0]));
}

TEST(Style, AControlOfNs3HasAnotherStyleThanGeotrainsOfTheSameName)
{
    const auto styles = StylesOf({"TcpCubic", "ns3::TcpCubic", "TcpHtcp", "ns3::TcpHtcp"});
    EXPECT_NE(Look(styles[0]), Look(styles[1]));
    EXPECT_NE(Look(styles[2]), Look(styles[3]));
    EXPECT_EQ(Look(styles[1]), Look(StylesOf({"ns3::TcpCubic"})[0]));
    EXPECT_EQ(Look(StylesOf({"ns3::TcpBbr"})[0]), Look(StylesOf({"TcpBbr"})[0]));
}

TEST(Style, SeriesOfAFigureDifferInColourWhileThereAreColours)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < seriesColours; ++i)
    {
        names.push_back("variant " + std::to_string(i));
    }
    std::set<std::string> colours;
    for (const auto& style : StylesOf(names))
    {
        colours.insert(style.colour);
    }
    EXPECT_EQ(colours.size(), seriesColours);
    names.resize(40);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        names[i] = "v" + std::to_string(i);
    }
    std::set<std::tuple<std::string, int, int>> looks;
    for (const auto& style : StylesOf(names))
    {
        looks.insert(Look(style));
    }
    EXPECT_EQ(looks.size(), 40u);
}

// gnuplot's open shapes have even numbers from 4 on. At print size they look like the filled ones,
// and the plus, 1, looks like an interval.
TEST(Style, MarkersAreFilledOrCrosses)
{
    for (std::size_t slot = 0; slot < 40; ++slot)
    {
        const int marker = StyleOfSlot(slot).marker;
        EXPECT_TRUE(marker == 2 || marker == 3 || (marker >= 5 && marker % 2 == 1)) << marker;
    }
}

TEST(Style, SystemsOfAtlasHaveTheLookOfTheirConnections)
{
    EXPECT_EQ(Look(StylesOf({"1F1B, one connection"})[0]), Look(StylesOf({"1 connection"})[0]));
    EXPECT_EQ(Look(StylesOf({"1F1B, 20 connections"})[0]), Look(StylesOf({"20 connections"})[0]));
    EXPECT_EQ(Look(StylesOf({"1F1B, 20 connections"})[0]), Look(StylesOf({"1F1B"})[0]));
}

// The schedules of the paper's figures have a colour and a marker each.
TEST(Style, SchedulesOfOneFigureDifferInColourAndMarker)
{
    std::set<std::string> colours;
    std::set<int> markers;
    for (const auto& style :
         StylesOf({"GPipe", "1F1B", "Interleaved", "Varuna", "ZB-2p", "Cross-DC", "Atlas"}))
    {
        colours.insert(style.colour);
        markers.insert(style.marker);
    }
    EXPECT_EQ(colours.size(), 7U);
    EXPECT_EQ(markers.size(), 7U);
}

// There are seven markers.
TEST(Style, SeriesOfAFigureDifferInMarkerWhileThereAreMarkers)
{
    for (const auto& names :
         {std::vector<std::string>{"spatial sharing, 1f1b",
                                   "spatial sharing, gpipe",
                                   "temporal sharing, 1f1b",
                                   "temporal sharing, gpipe"},
          {"a", "b", "c", "d", "e", "f", "g"},
          {"TcpCubic", "one", "two", "three", "four", "five", "six"}})
    {
        std::set<int> markers;
        std::set<std::string> ofColour;
        for (const auto& style : StylesOf(names))
        {
            markers.insert(style.marker);
            ofColour.insert(style.colour);
        }
        EXPECT_EQ(markers.size(), names.size()) << names.front();
        EXPECT_EQ(ofColour.size(), names.size()) << names.front();
    }
}

TEST(TextLines, BreakBetweenWordsAlone)
{
    using Lines = std::vector<std::string>;
    EXPECT_EQ(WrappedText("", 9, 100), Lines());
    EXPECT_EQ(WrappedText("short", 9, 100), Lines{"short"});
    EXPECT_EQ(WrappedText("temporal sharing, 20 connections", 10, 100),
              (Lines{"temporal sharing,", "20 connections"}));
    EXPECT_EQ(WrappedText("unbreakable", 10, 5), Lines{"u...e"});
    EXPECT_EQ(WrappedText("unbreakable", 10, 50), Lines{"unb...ble"});
    EXPECT_EQ(WrappedText("transport.connections-20", 10, 125),
              (Lines{"transport.connections-", "20"}));
}

// Two letters in four bytes, and one that is drawn as six: 8 letters of 0.55 x 10 points
TEST(TextLines, WidthsGoByTheLettersThatAreDrawn)
{
    EXPECT_DOUBLE_EQ(TextWidth("\xc3\xa9\xce\xa9\xe6\x9d\xb1", 10), 44);
    EXPECT_DOUBLE_EQ(WidestOf({"a", "abc", "ab"}, 10), 16.5);
    EXPECT_EQ(WidestOf({}, 10), 0);
}

// A column of names of 20 letters takes 24 + 1.17 x 20 x 0.55 x 8 = 127 points.
TEST(Legend, HasTheColumnsForWhichAPageHasRoom)
{
    const std::vector<std::string> names(4, "twenty letters words");
    const double one = Legend({names.front()}, 504).Height();
    EXPECT_EQ(Legend(names, 8 + 4 * 127).Height(), one);
    EXPECT_EQ(Legend(names, 8 + 4 * 126).Height(), 2 * one);
    EXPECT_EQ(Legend(names, 150).Height(), 4 * one);
    EXPECT_EQ(Legend({"", names.front()}, 504).Height(), one); // an entry of two
    EXPECT_EQ(Legend({}, 504).Height(), 0);
    EXPECT_EQ(Legend({}, 504).Commands(FigurePage{504, 100}), "unset key\n");
}

TEST(Legend, ShortensANameThatIsWiderThanThePage)
{
    const Legend legend({"twenty letters words"}, 90);
    EXPECT_EQ(legend.Title("short"), " title \"short\"");
    EXPECT_EQ(legend.Title("twenty letters words"), " title \"twent...words\"");
    EXPECT_EQ(legend.Title(""), "");
}

} // namespace
} // namespace geotrain
