// SPDX-License-Identifier: GPL-2.0-only
// Imports matrices of delays and rates.
#include "topology-import/topology-import.h"

#include "units/config-error.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace
{

using geotrain::BitRate;
using geotrain::Duration;
using geotrain::ImportedTopology;
using Texts = std::vector<std::string>;

geotrain::ImportOptions
MatrixOptions()
{
    geotrain::ImportOptions options;
    options.defaultRate = BitRate::GigabitsPerSecond(77);
    return options;
}

ImportedTopology
ImportMatrix(const std::string& text)
{
    return geotrain::ImportTopologyText(
        text, geotrain::GraphFormat::Matrix, "m.csv", MatrixOptions());
}

std::string
MatrixComplaint(const std::string& text)
{
    try
    {
        ImportMatrix(text);
    }
    catch (const geotrain::ConfigError& error)
    {
        return error.what();
    }
    return "";
}

TEST(MatrixImport, BecomesAFullMesh)
{
    const auto imported = ImportMatrix("latency_ms,Paris,Tokyo,Rio\n"
                                       "Paris,0,120,\n"
                                       "Tokyo,120,0,140\n"
                                       "Rio,,140,0\n");
    ASSERT_EQ(imported.wan.sites.size(), 3u);
    EXPECT_EQ(imported.wan.sites[2].name, "Rio");
    ASSERT_EQ(imported.wan.links.size(), 2u); // Paris - Rio has an empty cell
    EXPECT_EQ(imported.wan.links[0].delay, Duration::Milliseconds(120));
    EXPECT_EQ(imported.wan.links[0].rate, MatrixOptions().defaultRate);
    EXPECT_EQ(imported.wan.links[1].delay, Duration::Milliseconds(140));
    EXPECT_EQ(imported.warnings, Texts());
}

TEST(MatrixImport, UnequalCellsMakeALinkOfTwoDelays)
{
    const auto imported = ImportMatrix("latency_ms,a,b\na,0,10\nb,12,0\n");
    ASSERT_EQ(imported.wan.links.size(), 1u);
    EXPECT_EQ(imported.wan.links[0].delay, Duration::Milliseconds(10));
    EXPECT_EQ(imported.wan.links[0].delayBack, Duration::Milliseconds(12));
}

TEST(MatrixImport, TheFirstCellOrTheCellsSayWhatTheyHold)
{
    const std::pair<const char*, Duration> delays[] = {
        {"rtt_ms,a,b\na,,30\nb,30,\n", Duration::Milliseconds(15)},
        {"RTT (s),a,b\na,,0.03\nb,0.03,\n", Duration::Milliseconds(15)},
        {"us,a,b\na,,30\nb,30,\n", Duration::Microseconds(30)},
        {"s,a,b\na,,0.03\nb,0.03,\n", Duration::Milliseconds(30)},
        {",a,b\na,0,30 us\nb,30 us,0\n", Duration::Microseconds(30)}};
    for (const auto& [text, delay] : delays)
    {
        const auto imported = ImportMatrix(text);
        EXPECT_EQ(imported.wan.links.at(0).delay, delay) << text;
        EXPECT_EQ(imported.warnings, Texts()) << text;
    }
}

TEST(MatrixImport, AWarningSaysWhatCellsAreTakenFor)
{
    const auto imported = ImportMatrix("region,a,b\na,0,30\nb,30,0\n");
    EXPECT_EQ(imported.wan.links.at(0).delay, Duration::Milliseconds(30));
    EXPECT_EQ(
        imported.warnings,
        Texts({"m.csv: \"latency ms\" is taken to be in all cells; the first one can say what "
               "is, as in \"rtt_ms\" or \"Mbps\""}));
}

TEST(MatrixImport, TrianglesAndSpreadsheetsAreRead)
{
    const auto lower = ImportMatrix("ms,a,b,c\na\nb,10\nc,20,30\n");
    ASSERT_EQ(lower.wan.links.size(), 3u);
    EXPECT_EQ(lower.wan.links[2].delay, Duration::Milliseconds(30));
    EXPECT_FALSE(lower.wan.links[2].delayBack.has_value());
    const auto german = ImportMatrix("ms;\"St. John's, NL\";\"Say \"\"B\"\"\";\r\n"
                                     "\"St. John's, NL\";0;1,5;\r\n\"Say \"\"B\"\"\";1,5;0;\r\n");
    EXPECT_EQ(german.wan.sites[0].name, "St. John's, NL");
    EXPECT_EQ(german.wan.sites[1].name, "Say \"B\"");
    EXPECT_EQ(german.wan.links.at(0).delay, Duration::Microseconds(1500));
    EXPECT_EQ(ImportMatrix("ms\ta\tb\nb\t1.5\t-\na\tnan\tN/A\n").wan.links.at(0).delay,
              Duration::Microseconds(1500)); // rows in another order
}

TEST(MatrixImport, ADiagonalIsNotReadAndSaidNotToBe)
{
    const auto imported = ImportMatrix("ms,a,b\na,0.4,10\nb,10,0.5\n");
    EXPECT_EQ(imported.wan.links.size(), 1u);
    EXPECT_EQ(imported.warnings, Texts({"m.csv: diagonal: is not read: it holds within a site"}));
}

TEST(MatrixImport, BrokenMatricesNameTheLineOrTheCell)
{
    EXPECT_EQ(MatrixComplaint(""),
              "m.csv: must have names in the first row and in the first column");
    EXPECT_EQ(MatrixComplaint("ms,a\na,0\n"),
              "m.csv: line 1: \"1\" names: there must be 2 to 512 behind the first cell");
    EXPECT_EQ(MatrixComplaint("ms,a,a\na,0\n"),
              "m.csv: line 1: \"a\" must be a name that no other column has");
    EXPECT_EQ(MatrixComplaint("ms,a,b\na,0,1\n\nc,1,0\n"),
              "m.csv: line 4: \"c\" must be the name of a column and of no row above: a matrix "
              "has the same names in its first row and in its first column");
    EXPECT_EQ(MatrixComplaint("ms,a,b\na,0,1\na,1,0\n"),
              "m.csv: line 3: \"a\" must be the name of a column and of no row above: a matrix "
              "has the same names in its first row and in its first column");
    EXPECT_EQ(MatrixComplaint("ms,a,b\na,0,1\n"),
              "m.csv: \"b\" is the name of a column, and must be that of a row, too");
    EXPECT_EQ(MatrixComplaint("ms,a,b\na,0,1,2\nb,1,0\n"),
              "m.csv: line 2: \"a\" has more cells than the first row");
    EXPECT_EQ(
        MatrixComplaint("ms,a,b\na,0,far\nb,1,0\n"),
        "m.csv: cell[a, b].latency_ms: \"far\" must be a number, alone or with a unit such as "
        "ms");
    EXPECT_EQ(MatrixComplaint("ms,a,b\na,0,-1\nb,1,0\n"),
              "m.csv: cell[a, b]: \"-0.001 s\" must be a delay of 0 to 10 s one way");
    EXPECT_EQ(MatrixComplaint("Gbps,a,b\na,0,1\nb,1,0\n"),
              "m.csv: node: \"a\", \"b\" must have a latitude and longitude, here or in the "
              "coordinates table");
    std::string wide = "ms";
    for (int i = 0; i < 513; ++i)
    {
        wide += ",n" + std::to_string(i);
    }
    EXPECT_EQ(MatrixComplaint(wide + "\n"),
              "m.csv: line 1: \"513\" names: there must be 2 to 512 behind the first cell");
}

/// Files in a folder of their own.
class MatrixFiles : public testing::Test
{
  protected:
    MatrixFiles()
    {
        std::filesystem::create_directories(m_folder);
    }

    ~MatrixFiles() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::string Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder / name) << text;
        return (m_folder / name).string();
    }

    std::string Complaint(const std::string& path, const geotrain::ImportOptions& options) const
    {
        try
        {
            geotrain::ImportTopology(path, options);
        }
        catch (const geotrain::ConfigError& error)
        {
            return error.what();
        }
        return "";
    }

  private:
    std::filesystem::path m_folder = std::filesystem::path(testing::TempDir()) /
                                     testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(MatrixFiles, ALatencyAndABandwidthMatrixMakeOneMesh)
{
    auto options = MatrixOptions();
    options.rates = Write("bandwidth.csv", ",b,a,c\nb,,5,\na,10,,\nc,,,\n");
    const auto path = Write("latency.csv", "ms,a,b,c\na,,30,40\nb,30,,\nc,40,,\n");
    const auto imported = geotrain::ImportTopology(path, options);
    ASSERT_EQ(imported.wan.links.size(), 2u);
    // Pairs that are alike both ways come first.
    EXPECT_EQ(imported.wan.links[0].delay, Duration::Milliseconds(40));
    EXPECT_EQ(imported.wan.links[0].rate, options.defaultRate);
    EXPECT_EQ(imported.wan.links[1].delay, Duration::Milliseconds(30));
    EXPECT_EQ(imported.wan.links[1].rate, BitRate::GigabitsPerSecond(10));
    EXPECT_EQ(imported.wan.links[1].rateBack, BitRate::GigabitsPerSecond(5));
}

// A cell that one of the matrices leaves empty has the value of the way back in that one.
TEST_F(MatrixFiles, AnEmptyCellOfEitherMatrixIsAsTheWayBack)
{
    auto options = MatrixOptions();
    options.rates = Write("bandwidth.csv", "Gbps,a,b\na,,5\nb,,\n");
    const auto imported =
        geotrain::ImportTopology(Write("latency.csv", "ms,a,b\na,,\nb,30,\n"), options);
    ASSERT_EQ(imported.wan.links.size(), 1u);
    EXPECT_EQ(imported.wan.links[0].rate, BitRate::GigabitsPerSecond(5));
    EXPECT_EQ(imported.wan.links[0].RateOf(false), BitRate::GigabitsPerSecond(5));
    EXPECT_EQ(imported.wan.links[0].DelayOf(true), Duration::Milliseconds(30));
    EXPECT_EQ(imported.wan.links[0].DelayOf(false), Duration::Milliseconds(30));
}

TEST_F(MatrixFiles, ABandwidthMatrixAloneTakesDelaysFromCoordinates)
{
    auto options = MatrixOptions();
    options.rates = Write("m.csv", "Mbps,a,b\na,,500\nb,500,\n");
    options.coordinates = {{"a", {50, 8}}, {"b", {52, 4}}};
    const auto imported = geotrain::ImportTopology("", options);
    EXPECT_EQ(imported.wan.links.at(0).rate, BitRate::BitsPerSecond(500000000));
    EXPECT_EQ(imported.wan.links[0].delay, geotrain::GreatCircleDelay({50, 8}, {52, 4}));
}

TEST_F(MatrixFiles, MatricesThatDontGoTogetherAreRefused)
{
    auto options = MatrixOptions();
    const auto delays = Write("delays.csv", "ms,a,b\na,,30\nb,30,\n");
    options.rates = delays;
    EXPECT_NE(Complaint("", options).find("must be a rate"), std::string::npos);
    options.rates = Write("rates.csv", "Gbps,a,c\na,,30\nc,30,\n");
    EXPECT_NE(Complaint(delays, options).find("names of the other matrix"), std::string::npos);
    EXPECT_NE(Complaint(Write("x.gml", "graph [ node [ id 0 ] ]"), options).find("a matrix, too"),
              std::string::npos);
}

} // namespace
