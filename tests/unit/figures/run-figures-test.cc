// SPDX-License-Identifier: GPL-2.0-only
// What the figures of a run say, read from their data and their gnuplot scripts.
#include "figures/run-figures.h"

#include "figures/congestion-figure.h"
#include "figures/serving-figures.h"
#include "figures/stacked-timelines-figure.h"
#include "figures/throughput-figure.h"
#include "figures/time-axis.h"
#include "pipeline-trace.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

namespace geotrain
{
namespace
{

using DataRow = std::map<std::string, std::string>;

std::vector<std::string>
CellsOf(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream rest(line + ",");
    for (std::string cell; std::getline(rest, cell, ',');)
    {
        cells.push_back(cell);
    }
    return cells;
}

/// Reads the data of a figure; no cell of these figures has a comma.
std::vector<DataRow>
DataOf(const std::filesystem::path& stem)
{
    std::istringstream file(Contents(stem.string() + ".csv"));
    std::string line;
    std::getline(file, line);
    const auto columns = CellsOf(line);
    std::vector<DataRow> rows;
    while (std::getline(file, line))
    {
        const auto cells = CellsOf(line);
        DataRow row;
        for (std::size_t i = 0; i < columns.size(); ++i)
        {
            row[columns[i]] = cells.at(i);
        }
        rows.push_back(row);
    }
    return rows;
}

double
NumberOf(const DataRow& row, const std::string& column)
{
    return std::stod(row.at(column));
}

std::string
ScriptOf(const std::filesystem::path& stem)
{
    return Contents(stem.string() + ".gp");
}

/// Draws the figures of a run of 3 stages in `folder`, within `choices`.
void
DrawRunIn(const TemporaryFolder& folder,
          const PipelineSetup& setup,
          FigureChoices choices,
          double capacityBps = 0)
{
    auto records = PipelineTrace(setup);
    for (const char* name : {"dc0 -> dc1", "dc1 -> dc2", "dc1 -> dc0", "dc2 -> dc1"})
    {
        auto& capacity = *records.front().mutable_run_header()->add_wan_capacities();
        capacity.set_name(name);
        capacity.set_bps(capacityBps);
    }
    WriteTrace((folder / "trace.pb").string(), records);
    TraceReader reader((folder / "trace.pb").string());
    choices.formats = {"svg"};
    DrawRunFigures(RunTally(reader), FigurePlace(folder.Path(), &choices));
}

PipelineSetup
AnalyticRun()
{
    PipelineSetup setup;
    setup.network = "analytic";
    setup.withoutPackets = true;
    setup.linkSamples = false;
    return setup;
}

// Each of 4 directions carries 4 replicas x 16 messages of 32 MiB.
TEST(RunFigures, ThroughputHasEveryBitAndStaysBelowItsCapacity)
{
    const TemporaryFolder folder;
    DrawRunIn(folder, AnalyticRun(), {}, 20e9);
    double gigabits = 0;
    for (const auto& row : DataOf(folder / "wan-throughput"))
    {
        EXPECT_EQ(NumberOf(row, "capacity_gbps"), 20);
        EXPECT_LE(NumberOf(row, "rate_gbps"), 20) << row.at("link") << row.at("start_s");
        gigabits +=
            NumberOf(row, "rate_gbps") * (NumberOf(row, "end_s") - NumberOf(row, "start_s"));
    }
    EXPECT_NEAR(gigabits, 4 * 64 * 8 * 33554432e-9, 1e-3);
    EXPECT_NE(ScriptOf(folder / "wan-throughput").find("capacity 20 Gbit/s"), std::string::npos);
}

TEST(RunFigures, ACapacityFarAboveIsNamedAndNotDrawn)
{
    const TemporaryFolder folder;
    DrawRunIn(folder, AnalyticRun(), {}, 100e12);
    EXPECT_NE(ScriptOf(folder / "wan-throughput").find("above the axis"), std::string::npos);
}

TEST(RunFigures, WithoutACapacityTheCellsAreEmpty)
{
    const TemporaryFolder folder;
    DrawRunIn(folder, AnalyticRun(), {}, 0);
    EXPECT_EQ(DataOf(folder / "wan-throughput").front().at("capacity_gbps"), "");
}

// 2 s of round trips of 40 ms are 50 bins; 60 s would be 1,500, so that each spans three.
TEST(RunFigures, ABinIsARoundTripOrSeveral)
{
    const auto second = [](std::int64_t seconds) { return MeasuredSpan{0, seconds * 1000000000}; };
    EXPECT_EQ(BinsOf(second(2), 40000000).count, 50u);
    EXPECT_EQ(BinsOf(second(2), 40000000).roundTrips, 1u);
    EXPECT_EQ(BinsOf(second(60), 40000000).count, 500u);
    EXPECT_EQ(BinsOf(second(60), 40000000).roundTrips, 3u);
    EXPECT_EQ(BinsOf({0, 1}, 40000000).count, 1u);
    EXPECT_EQ(BinsOf(second(2), 0).count, ThroughputBins().count); // no WAN
}

TEST(RunFigures, AChosenPartOfTheTimeIsDrawnInFullDetail)
{
    const TemporaryFolder folder;
    FigureChoices choices;
    choices.fromSeconds = 0.5;
    choices.toSeconds = 0.6;
    DrawRunIn(folder, AnalyticRun(), choices, 20e9);
    const auto rates = DataOf(folder / "wan-throughput");
    EXPECT_EQ(rates.size() % ThroughputBins().count, 0u);
    for (const auto& row : rates)
    {
        EXPECT_GE(NumberOf(row, "start_s"), 0.5);
        EXPECT_LE(NumberOf(row, "end_s"), 0.6 + 1e-9);
    }
    for (const auto& row : DataOf(folder / "timeline"))
    {
        EXPECT_GE(NumberOf(row, "start_s"), 0.5);
        EXPECT_LE(NumberOf(row, "end_s"), 0.6);
    }
}

TEST(RunFigures, TimelineHasMicrobatchesAndItsMakespan)
{
    const TemporaryFolder folder;
    PipelineSetup setup;
    setup.microbatches = 4;
    DrawRunIn(folder, setup, {});
    std::map<std::string, int> boxes;
    double end = 0;
    for (const auto& row : DataOf(folder / "timeline"))
    {
        boxes[row.at("work") + row.at("microbatch")] += 1;
        end = std::max(end, NumberOf(row, "end_s"));
    }
    // 3 stages x 4 replicas
    EXPECT_EQ(boxes["Forward0"], 12);
    EXPECT_EQ(boxes["Backward3"], 12);
    EXPECT_EQ(boxes["Idle"], 12); // no microbatch
    const auto script = ScriptOf(folder / "timeline");
    EXPECT_NE(script.find("makespan " + TimeText(end)), std::string::npos) << end;
    EXPECT_NE(script.find("with labels"), std::string::npos);
}

// On a column, a name of 40 letters would reach into the makespan, and two of them beyond the edge.
TEST(RunFigures, LongNamesLeaveRoomOnAColumn)
{
    const TemporaryFolder folder;
    auto records = PipelineTrace(AnalyticRun());
    const std::string tail(39, 'n');
    for (auto& node : *records.front().mutable_run_header()->mutable_nodes())
    {
        node.set_data_centre(node.data_centre().back() + tail);
    }
    WriteTrace((folder / "trace.pb").string(), records);
    TraceReader reader((folder / "trace.pb").string());
    FigureChoices choices;
    choices.formats = {"svg"};
    choices.widthPoints = 238;
    DrawRunFigures(RunTally(reader), FigurePlace(folder.Path(), &choices));
    for (const char* name : {"timeline", "wan-throughput"})
    {
        // A name with the end of its text; the data below has it whole.
        const auto script = ScriptOf(folder / name);
        EXPECT_TRUE(std::regex_search(script, std::regex("set label [^\n]*nn\\.\\.\\.nn"))) << name;
        EXPECT_FALSE(std::regex_search(script, std::regex("set label [^\n]*" + tail))) << name;
    }
    EXPECT_TRUE(std::regex_search(ScriptOf(folder / "wan-throughput"),
                                  std::regex("set label [^\n]*nn -> [^ ]*nn")));
}

// 500 microbatches of 60 ms on 6 inches: 1 point per box.
TEST(RunFigures, NarrowBoxesHaveNoNumbers)
{
    const TemporaryFolder folder;
    PipelineSetup setup;
    setup.microbatches = 500;
    setup.replicas = 1;
    DrawRunIn(folder, setup, {});
    EXPECT_EQ(ScriptOf(folder / "timeline").find("with labels"), std::string::npos);
}

TEST(RunFigures, AKilledRunSaysSo)
{
    const TemporaryFolder folder;
    auto records = PipelineTrace({});
    records.resize(records.size() / 2);
    WriteTrace((folder / "trace.pb").string(), records);
    TraceReader reader((folder / "trace.pb").string());
    FigureChoices choices;
    choices.formats = {"svg"};
    DrawRunFigures(RunTally(reader), FigurePlace(folder.Path(), &choices));
    EXPECT_NE(ScriptOf(folder / "timeline").find("unfinished"), std::string::npos);
}

// A page of one run of 3 stages is too low for the long label.
TEST(RunFigures, LabelOfRowsFitsALowPage)
{
    const TemporaryFolder folder;
    PipelineSetup setup;
    setup.replicas = 1;
    WriteTrace((folder / "trace.pb").string(), PipelineTrace(setup));
    FigureChoices choices;
    choices.formats = {"svg"};
    DrawStackedTimelines(
        {{"gpipe", folder / "trace.pb"}}, "", FigurePlace(folder / "timelines", &choices));
    EXPECT_NE(ScriptOf(folder / "timelines").find("set ylabel \"Stage\""), std::string::npos);
}

// Each replica of the trace begins later than the one before it, so that the last one sets the
// length of the iteration.
TEST(RunFigures, StackedTimelinesShowTheReplicaOfTheCriticalPath)
{
    const TemporaryFolder folder;
    PipelineSetup setup;
    setup.replicas = 3;
    WriteTrace((folder / "trace.pb").string(), PipelineTrace(setup));
    FigureChoices choices;
    choices.formats = {"svg"};
    DrawStackedTimelines(
        {{"gpipe", folder / "trace.pb"}}, "", FigurePlace(folder / "timelines", &choices));
    const auto script = ScriptOf(folder / "timelines");
    EXPECT_NE(script.find("replica 2, makespan"), std::string::npos);
    std::ifstream data(folder / "timelines.csv");
    std::string line;
    std::getline(data, line); // the header
    int bars = 0;
    for (; std::getline(data, line); ++bars)
    {
        // The columns are work, start, end, upper and lower edge, and replica.
        EXPECT_TRUE(std::regex_match(line, std::regex("([^,]*,){5}2,.*"))) << line;
    }
    EXPECT_GT(bars, 0);
}

TEST(RunFigures, TimesHaveUnitsThatSuitThem)
{
    EXPECT_EQ(TimeText(4.3466), "4.347 s");
    EXPECT_EQ(TimeText(0.4245), "424.5 ms");
    EXPECT_EQ(TimeText(33e-6), "33 µs");
}

WanThroughput
ThroughputOf(const std::map<std::string, double>& bitsOf)
{
    WanThroughput throughput;
    for (const auto& [name, bits] : bitsOf)
    {
        BinnedBits binned({0, 10}, 2);
        binned.Add(0, 10, bits);
        throughput.bits.emplace(name, binned);
    }
    return throughput;
}

// Seattle to New York takes 5 links, each in both directions.
TEST(ChoosePanels, ShowsAWholePathOfTenDirections)
{
    std::map<std::string, double> bits;
    for (int link = 0; link < 10; ++link)
    {
        bits["link " + std::to_string(link)] = 1000 + link;
    }
    EXPECT_EQ(ChoosePanels(ThroughputOf(bits)).names.size(), 10u);
    EXPECT_EQ(ChoosePanels(ThroughputOf(bits)).leftOut, "");
}

// 30 links, of which the slowest one carries least but is the only full one.
TEST(ChoosePanels, KeepsTheBottleneck)
{
    std::map<std::string, double> bits{{"bottleneck", 100}};
    for (int link = 10; link < 39; ++link)
    {
        bits["link " + std::to_string(link)] = 1000;
    }
    auto throughput = ThroughputOf(bits);
    for (const auto& [name, of] : throughput.bits)
    {
        throughput.capacitiesBps[name].assign(2, name == "bottleneck" ? 100e8 : 1e15);
    }
    const auto choice = ChoosePanels(throughput);
    EXPECT_EQ(choice.names.size(), 16u);
    EXPECT_EQ(choice.names.front(), "bottleneck");
    EXPECT_EQ(choice.leftOut, "The busiest 16 of 30 directions");
}

TEST(ChoosePanels, LeavesOutAcknowledgements)
{
    const auto choice = ChoosePanels(ThroughputOf({{"a -> b", 1000}, {"b -> a", 9}}));
    EXPECT_EQ(choice.names, (std::vector<std::string>{"a -> b"}));
    EXPECT_EQ(choice.leftOut, "Not shown: 1 of 2 directions, with less than 1 % of the busiest");
}

// 3 of 4 requests were served.
TEST(ServingFigures, TheDistributionEndsAtWhatWasServed)
{
    const TemporaryFolder folder;
    VariantSummary variant;
    variant.summary.header.mutable_serving()->set_pp_degree(1);
    variant.summary.metrics = {{"requests", 4, ""}};
    variant.summary.ttft = DistributionOf({0.5, 2, 1}, 4);
    FigureChoices choices;
    choices.formats = {"svg"};
    DrawServingFigures({variant}, FigurePlace(folder.Path(), &choices));
    const auto csv = Contents((folder / "ttft-cdf").string() + ".csv");
    // Stairs: up at 0.5, 1 and 2 s, by a quarter each.
    EXPECT_NE(csv.find("0.5,0\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find("0.5,25\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find("1,25\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find("2,75\n"), std::string::npos) << csv;
    EXPECT_EQ(csv.find(",100\n"), std::string::npos) << csv;
    const auto script = ScriptOf(folder / "ttft-cdf");
    EXPECT_NE(script.find("served: 75 %"), std::string::npos);
    EXPECT_NE(script.find("set yrange [0:108"), std::string::npos); // up to 100 % all the same
}

std::vector<trace::Record>
TransferTrace(int connections)
{
    trace::Record header;
    header.mutable_run_header()->add_nodes()->set_data_centre("a");
    header.mutable_run_header()->add_nodes()->set_data_centre("b");
    auto& transfers = *header.mutable_run_header()->mutable_transfers();
    transfers.set_destination(1);
    transfers.set_bytes(1);
    transfers.set_messages(1);
    transfers.set_connections(1);
    std::vector<trace::Record> records{header};
    for (int i = 1; i <= 100; ++i)
    {
        trace::Record flow;
        auto& sample = *flow.mutable_flow_sample();
        sample.set_destination(1);
        sample.set_connection(static_cast<std::uint32_t>(i % connections));
        sample.set_time_ns(i * 1000000LL);
        sample.set_cwnd_bytes(1000000);
        sample.set_rtt_ns(i < 50 ? 0 : 40000000); // none was measured at first
        records.push_back(flow);
        trace::Record link;
        auto& sent = *link.mutable_link_sample();
        sent.set_time_ns(i * 1000000LL);
        sent.set_interval_ns(1000000);
        sent.set_link("a -> b");
        sent.set_link_class(trace::LINK_CLASS_WAN);
        sent.set_bits(1000000);
        records.push_back(link);
    }
    return records;
}

trace::Record
DoubtfulResult()
{
    trace::Record record;
    record.mutable_warning()->set_text("the live WAN did not keep up: 3 packets were late");
    record.mutable_warning()->set_untrusted(true);
    return record;
}

constexpr const char* caution = "Not to be trusted: the live WAN did not keep up\"";

TEST(TransferFigures, SayThatAResultIsNotToBeTrusted)
{
    const TemporaryFolder folder;
    auto records = TransferTrace(7);
    records.push_back(DoubtfulResult());
    WriteTrace((folder / "trace.pb").string(), records);
    FigureChoices choices;
    choices.formats = {"svg"};
    choices.title = ""; // takes titles away, and not this
    DrawTransferFigures(folder / "trace.pb", 0, FigurePlace(folder.Path(), &choices));
    for (const char* name : {"congestion", "wan-throughput"})
    {
        EXPECT_NE(ScriptOf(folder / name).find(caution), std::string::npos) << name;
    }
}

TEST(RunFigures, SayThatAResultIsNotToBeTrusted)
{
    for (const bool isDoubtful : {false, true})
    {
        const TemporaryFolder folder;
        auto records = PipelineTrace(AnalyticRun());
        if (isDoubtful)
        {
            records.insert(records.end() - 1, DoubtfulResult());
        }
        WriteTrace((folder / "trace.pb").string(), records);
        TraceReader reader((folder / "trace.pb").string());
        FigureChoices choices;
        choices.formats = {"svg"};
        DrawRunFigures(RunTally(reader), FigurePlace(folder.Path(), &choices));
        for (const char* name : {"timeline", "wan-throughput"})
        {
            EXPECT_EQ(ScriptOf(folder / name).find(caution) != std::string::npos, isDoubtful)
                << name;
        }
    }
}

TEST(TransferFigures, HaveNoIterationAndShowAKilledRun)
{
    const TemporaryFolder folder;
    WriteTrace((folder / "trace.pb").string(), TransferTrace(7));
    FigureChoices choices;
    choices.formats = {"svg"};
    DrawTransferFigures(folder / "trace.pb", 0, FigurePlace(folder.Path(), &choices));
    const auto script = ScriptOf(folder / "wan-throughput");
    EXPECT_EQ(script.find("iteration"), std::string::npos);
    EXPECT_NE(script.find("Time (ms)"), std::string::npos);
    double end = 0;
    for (const auto& row : DataOf(folder / "wan-throughput"))
    {
        end = std::max(end, NumberOf(row, "end_s"));
        EXPECT_NEAR(NumberOf(row, "rate_gbps"), 1, 1e-6); // 1 Mbit per ms
    }
    EXPECT_NEAR(end, 0.1, 1e-9);
    const auto congestion = ScriptOf(folder / "congestion");
    EXPECT_NE(congestion.find("The first 5 of 7 connections"), std::string::npos);
    for (const auto& row : DataOf(folder / "congestion"))
    {
        EXPECT_TRUE(NumberOf(row, "time_s") >= 0.05 || row.at("round_trip_ms").empty());
    }
}

} // namespace
} // namespace geotrain
