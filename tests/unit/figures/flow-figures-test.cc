// SPDX-License-Identifier: GPL-2.0-only
// Tests the figures of transfers: congestion windows, and rates of steady flows.
#include "expect-figure.h"
#include "figures/congestion-figure.h"
#include "figures/flow-figures.h"
#include "figures/style.h"
#include "temporary-folder.h"
#include "trace/trace-reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{
namespace
{

/// Returns the header of transfers from one data centre to another.
trace::Record
TwoDataCentres()
{
    trace::Record header;
    header.mutable_run_header()->add_nodes()->set_data_centre("a");
    header.mutable_run_header()->add_nodes()->set_data_centre("b");
    header.mutable_run_header()->mutable_transfers()->set_destination(1);
    return header;
}

/// Returns that of one flow of CUBIC, which sends for 5 s over a path of 8 Mbit/s.
trace::Record
OneFlow()
{
    trace::Record header = TwoDataCentres();
    auto& transfers = *header.mutable_run_header()->mutable_transfers();
    transfers.set_duration_ns(5000000000);
    auto& flow = *transfers.add_flows();
    flow.set_congestion_control("TcpCubic");
    flow.set_connections(1);
    flow.set_destination(1);
    flow.set_stop_ns(5000000000);
    flow.set_capacity_bps(8e6);
    return header;
}

TEST(CongestionFigure, ShowsConnectionsOverTheWan)
{
    const TemporaryFolder folder;
    trace::Record header = TwoDataCentres();
    auto& transfers = *header.mutable_run_header()->mutable_transfers();
    transfers.set_bytes(1);
    transfers.set_messages(1);
    transfers.set_connections(1);
    std::vector<trace::Record> records{header};
    EXPECT_TRUE(
        [&]
        {
            WriteTrace((folder / "empty.pb").string(), records);
            return DrawCongestion({{"", folder / "empty.pb"}}, folder / "congestion").empty();
        }());
    for (int i = 1; i <= 5000; ++i)
    {
        trace::Record record;
        auto& sample = *record.mutable_flow_sample();
        sample.set_destination(1);
        sample.set_time_ns(i * 10000000LL);
        sample.set_cwnd_bytes(static_cast<std::uint64_t>(i % 100) * 10000);
        sample.set_rtt_ns(40000000);
        records.push_back(record);
    }
    WriteTrace((folder / "trace.pb").string(), records);
    EXPECT_EQ(DrawCongestion({{"", folder / "trace.pb"}}, folder / "congestion").size(),
              1 * filesOfFigure);
    ExpectFigure(folder / "congestion");
}

// A flow of BBR stops after 1 s, one of CUBIC after 5 s.
TEST(CongestionFigure, AFlowThatStopsEndsItsOwnCurveAndHasItsControlsColour)
{
    const TemporaryFolder folder;
    trace::Record header = TwoDataCentres();
    auto& transfers = *header.mutable_run_header()->mutable_transfers();
    transfers.set_duration_ns(5000000000);
    std::vector<std::string> controls{"TcpBbr", "TcpCubic"};
    for (const auto& control : controls)
    {
        auto& flow = *transfers.add_flows();
        flow.set_name(control);
        flow.set_congestion_control(control);
        flow.set_connections(1);
        flow.set_destination(1);
        flow.set_stop_ns(control == "TcpBbr" ? 1000000000 : 5000000000);
    }
    std::vector<trace::Record> records{header};
    for (int i = 1; i <= 500; ++i)
    {
        for (std::uint32_t flow = 1; flow <= 2; ++flow)
        {
            trace::Record record;
            auto& sample = *record.mutable_flow_sample();
            sample.set_flow_number(flow);
            sample.set_destination(1);
            sample.set_time_ns(i * 10000000LL);
            sample.set_cwnd_bytes(10000);
            sample.set_rtt_ns(flow == 1 && i > 100 ? 0 : 40000000); // the window stays
            records.push_back(record);
        }
    }
    WriteTrace((folder / "trace.pb").string(), records);
    DrawCongestion({{"", folder / "trace.pb"}}, folder / "congestion");
    const auto script = Contents(folder / "congestion.gp");
    EXPECT_NE(script.find("set xrange [0:5]"), std::string::npos) << script;
    for (const auto& style : StylesOf(controls))
    {
        EXPECT_NE(script.find(style.colour), std::string::npos) << style.colour;
    }
    const auto data = Contents(folder / "congestion.csv");
    EXPECT_NE(data.find("TcpCubic (TcpCubic),5,"), std::string::npos);
    EXPECT_NE(data.find("TcpBbr (TcpBbr),1,"), std::string::npos);
    EXPECT_EQ(data.find("TcpBbr (TcpBbr),1.01,"), std::string::npos);
}

// 100 kB arrive each 0.1 s of a path of 8 Mbit/s. A loss keeps those of the second second back, which
// are handed over with the next ones: 88 Mbit/s for 0.1 s.
TEST(FlowFigures, BytesThatALossHeldBackAreNoRateAboveTheCapacity)
{
    const TemporaryFolder folder;
    std::vector<trace::Record> records{OneFlow()};
    for (std::uint64_t i = 1; i <= 50; ++i)
    {
        trace::Record record;
        auto& sample = *record.mutable_flow_sample();
        sample.set_flow_number(1);
        sample.set_destination(1);
        sample.set_time_ns(static_cast<std::int64_t>(i) * 100000000);
        sample.set_delivered_bytes(100000 * (i > 10 && i <= 20 ? 10 : i));
        records.push_back(record);
    }
    WriteTrace((folder / "trace.pb").string(), records);
    TraceReader reader((folder / "trace.pb").string());
    FigureChoices choices;
    choices.fromSeconds = 0.5;
    DrawFlowFigures(FlowTally(reader), {folder.Path(), &choices});
    EXPECT_NE(Contents(folder / "flow-throughput.gp").find("set xrange [0.5:"), std::string::npos);
    std::istringstream lines(Contents(folder / "flow-throughput.csv"));
    double highest = 0;
    double sum = 0;
    for (std::string line; std::getline(lines, line);)
    {
        if (line.rfind("TcpCubic,", 0) == 0)
        {
            const double rate = std::stod(line.substr(line.rfind(',') + 1));
            highest = std::max(highest, rate);
            sum += rate;
        }
    }
    EXPECT_DOUBLE_EQ(highest, 8);
    EXPECT_NEAR(sum / 200, 8, 1e-6); // the mean of 200 bins of equal length: no byte is lost
}

// The path goes from 8 to 4 Mbit/s at 2 s. What a loss holds back from 2 to 3 s was carried at 4.
TEST(FlowFigures, NoRateIsAboveTheCapacityOfItsTime)
{
    const TemporaryFolder folder;
    trace::Record header = OneFlow();
    auto& flow = *header.mutable_run_header()->mutable_transfers()->mutable_flows(0);
    for (const auto& [fromNs, bps] : {std::pair(0LL, 8e6), {2000000000LL, 4e6}})
    {
        auto& step = *flow.add_capacity_steps();
        step.set_from_ns(fromNs);
        step.set_bps(bps);
    }
    std::vector<trace::Record> records{header};
    for (std::uint64_t i = 1; i <= 50; ++i)
    {
        const std::uint64_t sent =
            100000 * std::min<std::uint64_t>(i, 20) + 50000 * (i > 20 ? i - 20 : 0);
        trace::Record record;
        auto& sample = *record.mutable_flow_sample();
        sample.set_flow_number(1);
        sample.set_destination(1);
        sample.set_time_ns(static_cast<std::int64_t>(i) * 100000000);
        sample.set_delivered_bytes(i > 20 && i <= 30 ? 2000000 : sent);
        records.push_back(record);
    }
    WriteTrace((folder / "trace.pb").string(), records);
    TraceReader reader((folder / "trace.pb").string());
    DrawFlowFigures(FlowTally(reader), {folder.Path()});
    std::istringstream lines(Contents(folder / "flow-throughput.csv"));
    std::string capacity;
    for (std::string line; std::getline(lines, line);)
    {
        if (line.rfind("TcpCubic,", 0) == 0)
        {
            const auto rate = line.rfind(',');
            const double seconds = std::stod(line.substr(9, rate - 9));
            EXPECT_NEAR(std::stod(line.substr(rate + 1)), seconds < 2 ? 8 : 4, 1e-6) << line;
        }
        capacity += line.rfind("capacity,", 0) == 0 ? line.substr(9) + " " : "";
    }
    EXPECT_EQ(capacity, "0,8 2,8 2,4 5,4 ");
}

// Two flows of CUBIC and one of BBR have the colours of their controls.
TEST(FlowFigures, FlowsHaveTheColoursOfTheirControls)
{
    const TemporaryFolder folder;
    trace::Record header = TwoDataCentres();
    auto& transfers = *header.mutable_run_header()->mutable_transfers();
    transfers.set_duration_ns(1000000000);
    std::vector<trace::Record> records;
    std::uint32_t number = 0;
    for (const auto& [name, control] : std::map<std::string, std::string>{
             {"early", "TcpCubic"}, {"late", "TcpCubic"}, {"rival", "TcpBbr"}})
    {
        auto& flow = *transfers.add_flows();
        flow.set_name(name);
        flow.set_congestion_control(control);
        flow.set_connections(1);
        flow.set_destination(1);
        flow.set_stop_ns(1000000000);
        trace::Record record;
        auto& sample = *record.mutable_flow_sample();
        sample.set_flow_number(++number);
        sample.set_destination(1);
        sample.set_time_ns(1000000000);
        sample.set_delivered_bytes(100000);
        records.push_back(record);
    }
    records.insert(records.begin(), header);
    WriteTrace((folder / "trace.pb").string(), records);
    TraceReader reader((folder / "trace.pb").string());
    DrawFlowFigures(FlowTally(reader), {folder.Path()});
    const auto script = Contents(folder / "flow-throughput.gp");
    const auto timesOf = [&script](const std::string& control)
    {
        const std::string colour =
            "with lines lw 1 lc rgb '" + std::string(StylesOf({control}).front().colour);
        int times = 0;
        for (auto at = script.find(colour); at != std::string::npos;
             at = script.find(colour, at + 1))
        {
            ++times;
        }
        return times;
    };
    EXPECT_EQ(timesOf("TcpCubic"), 2) << script;
    EXPECT_EQ(timesOf("TcpBbr"), 1) << script;
    const auto data = Contents(folder / "flow-throughput.csv");
    EXPECT_NE(data.find("\"TcpCubic, late\""), std::string::npos) << data;
}

} // namespace
} // namespace geotrain
