// SPDX-License-Identifier: GPL-2.0-only
// Runs transfers of a class of traffic with a mark: marks in recorded packets, a class that is a mark
// alone, and a class that is policed.
#include "transfer-folder.h"

#include <sstream>

namespace geotrain
{

namespace
{

using TrafficMarks = TransferFolder;

std::string
ClassOfTransfer(const std::string& more)
{
    return "traffic_class[0]={name: \"urgent\" job: \"transfer\" dscp: \"EF\" " + more + "}";
}

TEST_F(TrafficMarks, AreInRecordedPacketsAndChangeNothingElse)
{
    const std::string records = "run.packet_trace[0]=near -> far";
    RunBulk({records});
    const std::string plain = Trace();
    std::istringstream unmarked(Contents(m_run / "packets-1.csv"));
    RunBulk({records, ClassOfTransfer("marks_only: true")});
    EXPECT_EQ(Trace(), plain);
    std::istringstream marked(Contents(m_run / "packets-1.csv"));
    std::string line;
    std::string withMark;
    std::getline(unmarked, line);
    std::getline(marked, withMark);
    EXPECT_EQ(withMark, line + ",dscp");
    int packets = 0;
    for (; std::getline(unmarked, line) && std::getline(marked, withMark); ++packets)
    {
        ASSERT_EQ(withMark, line + ",46");
    }
    EXPECT_GE(packets, 5 * 2000000 / 1448);
}

TEST_F(TrafficMarks, AClassThatIsPolicedKeepsToItsRate)
{
    const std::string policed = R"(priority: 1 rate: "20Mbps" police: true burst: "100kB")";
    // 80 Mbit in all: of a fifth of the link's rate, less the first burst, with the payload's share of
    // packets. Reno does not fill a policer that holds less than its window.
    const double least = 5 * 2e6 * 8 / 20e6 * 1500 / 1448 - 100e3 * 8 / 20e6;
    const double bulk = 5 * RunBulk({ClassOfTransfer(policed)}).Find("completion_time_mean").value();
    EXPECT_GT(bulk, least);
    EXPECT_LT(bulk, 2 * least);
}

} // namespace

} // namespace geotrain
