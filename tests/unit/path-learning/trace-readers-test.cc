// SPDX-License-Identifier: GPL-2.0-only
// Packet records of each kind are read whole, and each bad one is refused in one line that says
// where.
#include "error-text.h"
#include "path-learning/trace-readers.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <zlib.h>

namespace geotrain
{
namespace
{

const char* const smallLog = "# init timestamp: 1646993004057.000\n"
                             "37.000 # 1500\n"
                             "5199.001 + 96 1\n"
                             "5200.000 + 1500 1\n"
                             "5210.000 + 1500 2\n"
                             "6201.671 - 96 1002.670 1\n"
                             "6230.000 - 1500 1020.000 2\n"
                             "6231.000 + 1500 1\n";

// The second packet has no arrival before a later packet's: it was lost. The last one's fate is not
// in the log.
TEST(PantheonLog, GivesSendTimesDelaysAndLossesAndLeavesOutAnUnknownEnd)
{
    const PacketTrace trace = ParsePantheonLog("log", smallLog);
    ASSERT_EQ(trace.packets.size(), 3u);
    EXPECT_EQ(trace.packets[0].sent, Instant());
    EXPECT_EQ(trace.packets[0].delay, Duration::Microseconds(1002670));
    EXPECT_EQ(trace.packets[1].sent - Instant(), Duration::Microseconds(999));
    EXPECT_EQ(trace.packets[1].size, Bytes::Of(1500));
    EXPECT_FALSE(trace.packets[1].delay);
    EXPECT_EQ(trace.packets[2].delay, Duration::Milliseconds(1020));
}

TEST(PantheonLog, OfTheSecondHalfOfATimeLeavesOutArrivalsOfTheFirst)
{
    const PacketTrace trace = ParsePantheonLog("log",
                                               "100.0 - 1500 50.0 1\n101.0 + 1500 1\n"
                                               "102.0 + 1500 1\n121.0 - 1500 20.0 1\n"
                                               "122.0 - 1500 20.0 1\n");
    EXPECT_EQ(trace.packets.size(), 2u);
}

TEST(PacketCsv, GivesSendTimesDelaysAndLosses)
{
    const PacketTrace trace = ParsePacketCsv(
        "csv", "send_s,size_bytes,delay_s\n10,1500,0.02\n10.001,1500,\n10.002,40,0.021\r\n");
    ASSERT_EQ(trace.packets.size(), 3u);
    EXPECT_EQ(trace.packets[2].sent - Instant(), Duration::Milliseconds(2));
    EXPECT_EQ(trace.packets[2].size, Bytes::Of(40));
    EXPECT_EQ(trace.packets[2].delay, Duration::Milliseconds(21));
    EXPECT_FALSE(trace.packets[1].delay);
}

TEST(PacketCsv, TakesNothingOfWhatOnlyTheSimulatorKnows)
{
    const PacketTrace with = ParsePacketCsv(
        "run", "true_cross_bytes,send_s,size_bytes,delay_s\n7,0,100,0.1\n9,1,100,0.2\n");
    const PacketTrace without =
        ParsePacketCsv("run", "send_s,size_bytes,delay_s\n0,100,0.1\n1,100,0.2\n");
    ASSERT_EQ(with.packets.size(), without.packets.size());
    for (std::size_t i = 0; i < with.packets.size(); ++i)
    {
        EXPECT_EQ(with.packets[i].sent, without.packets[i].sent);
        EXPECT_EQ(with.packets[i].size, without.packets[i].size);
        EXPECT_EQ(with.packets[i].delay, without.packets[i].delay);
    }
}

TEST(PacketRecord, MayBeGzippedAndIsRefusedWhenItIsCut)
{
    const TemporaryFolder folder;
    const std::string path = (folder.Path() / "log.gz").string();
    gzFile file = gzopen(path.c_str(), "wb");
    std::string text = smallLog;
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    EXPECT_EQ(ReadMaybeGzipped(path), text);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 10);
    EXPECT_NE(ErrorText([&] { ReadMaybeGzipped(path); }).find("is cut or damaged"),
              std::string::npos);
}

struct BadRecord
{
    const char* name;
    const char* text;
    const char* error; ///< part of the line
};

void
PrintTo(const BadRecord& bad, std::ostream* stream)
{
    *stream << bad.name;
}

class BadPacketRecord : public testing::TestWithParam<BadRecord>
{
};

TEST_P(BadPacketRecord, IsRefusedInOneLineThatSaysWhere)
{
    const std::string error = ErrorText([] { ParsePacketTrace("rec", GetParam().text); });
    EXPECT_NE(error.find(GetParam().error), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
}

const BadRecord badRecords[] = {
    {"Empty", "", "rec: is no packet record"},
    {"Foreign", "PK\x03\x04zip", "rec: is no packet record"},
    {"LogWithoutDepartures", "# init timestamp: 1.0\n37.0 # 1500\n", "rec: has no departures"},
    {"LogOfArrivalsAlone", "# init timestamp: 1.0\n37.0 - 1500 9.0 1\n", "rec: has no departures"},
    {"LogWithNegativeDelay", "1.0 + 9 1\n2.0 - 9 -1.0 1\n", "rec:2: \"-1.0\" is a delay"},
    {"LogWhoseClockGoesBack",
     "5.0 + 9 1\n4.0 + 9 1\n",
     "rec:2: \"4.0\" is earlier than the line before: a clock jumps"},
    {"LogWithUnknownArrival", "1.0 + 9 1\n3.0 - 9 1.5 1\n", "rec:2: \"1.5\" ms before"},
    {"LogWithForeignLine", "1.0 + 9 1\nhello world\n", "rec:2: \"hello world\" must be"},
    {"LogWithoutNumber", "1.0 + 9 1\nx + 9 1\n", "rec:2: \"x\" must be a number"},
    {"LogWithInfinity", "1.0 + 9 1\ninf + 9 1\n", "rec:2: \"inf\" must be a number"},
    {"LogOfOnePacket", "1.0 + 9 1\n2.0 - 9 1.0 1\n", "at least two"},
    {"LogOfNoArrivals", "1.0 + 9 1\n2.0 + 9 1\n", "rec: \"2\" packets were sent and 0 arrived"},
    {"CsvWithoutColumn", "send_s,size_bytes\n1,2\n", "rec:1: \"send_s,size_bytes\" must have"},
    {"CsvWithForeignColumn", "send_s,size_bytes,delay_s,rtt\n", "rec:1: \"rtt\" is no column"},
    {"CsvWithShortLine", "send_s,size_bytes,delay_s\n1,2\n", "rec:2: \"1,2\" must have 3 columns"},
    {"CsvWithNegativeDelay", "send_s,size_bytes,delay_s\n1,2,-0.1\n", "rec:2: \"-0.1\" is a delay"},
    {"CsvWithEmptyPacket", "send_s,size_bytes,delay_s\n1,0,0.1\n", "rec:2: \"0\" must be 1 to"},
    {"CsvWhoseClockGoesBack",
     "send_s,size_bytes,delay_s\n1,9,0.1\n0.5,9,0.1\n",
     "rec:3: \"0.5\" is earlier than the line before: a clock jumps"},
    {"CsvWhoseReceiverWasSetBack",
     "send_s,size_bytes,delay_s\n1,9,50\n1.1,9,0.1\n",
     "rec:3: \"0.100000 s\" is a delay after one of 50.000000 s: a clock jumps"},
    {"CsvWhoseReceiverWasSetForward",
     "send_s,size_bytes,delay_s\n1,9,0.1\n1.1,9,50\n",
     "a clock jumps"},
    {"CsvOfOnePacket", "send_s,size_bytes,delay_s\n1,9,0.1\n", "at least two"},
    {"CsvOfNoPacket", "send_s,size_bytes,delay_s\n", "rec: \"0\" packets were sent"},
};

INSTANTIATE_TEST_SUITE_P(Each,
                         BadPacketRecord,
                         testing::ValuesIn(badRecords),
                         [](const auto& record) { return std::string(record.param.name); });

/// Returns the logs that were recorded over an emulated link of 12 Mbit/s and 1,000 ms.
std::vector<std::filesystem::path>
RecordedLogs()
{
    std::vector<std::filesystem::path> logs;
    const std::filesystem::path folder = GEOTRAIN_SHARED_DATA "/paths/pantheon";
    for (const char* name : {"cubic_datalink_run1.log.gz", "bbr_datalink_run1.log.gz"})
    {
        if (std::filesystem::exists(folder / name))
        {
            logs.push_back(folder / name);
        }
    }
    return logs;
}

// Each packet of the log was sent and has an arrival, was lost, or is in the unknown end: 9,778 and
// 11,520 lines with +, 9,026 and 10,506 with -.
TEST(PantheonLog, RecordedLogsAreReadWhole)
{
    const auto logs = RecordedLogs();
    if (logs.empty())
    {
        GTEST_SKIP() << "no recorded logs";
    }
    for (const auto& path : logs)
    {
        const PacketTrace trace = ParsePacketTrace(path.string(), ReadMaybeGzipped(path.string()));
        std::size_t arrived = 0;
        for (const TracedPacket& packet : trace.packets)
        {
            arrived += packet.delay ? 1 : 0;
            EXPECT_GE(packet.delay.value_or(Duration::Milliseconds(1000)),
                      Duration::Milliseconds(1000));
        }
        const bool isCubic = path.filename().string().find("cubic") != std::string::npos;
        EXPECT_EQ(arrived, isCubic ? 9026u : 10506u);
    }
}

} // namespace
} // namespace geotrain
