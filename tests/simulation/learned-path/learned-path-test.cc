// SPDX-License-Identifier: GPL-2.0-only
// A learned path among packet elements: packets come out later or never, and flows share one FIFO.
#include "error-text.h"
#include "learned-path/model/learned-path.h"
#include "learned-path/model/path-file.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <fstream>
#include <vector>

namespace geotrain
{
namespace
{

/// PacketSink notes what arrives.
class PacketSink : public ns3::PacketElement
{
  public:
    struct Arrival
    {
        std::int64_t ns;
        ns3::FlowNumber flow;
    };

    void Receive(const ns3::PacketRecord& record) override
    {
        arrivals.push_back({ns3::Simulator::Now().GetNanoSeconds(), record.flow});
    }

    std::vector<Arrival> arrivals;
};

/// At 8 Mbit/s a byte takes a microsecond; the buffer holds two packets of 1,000 bytes.
std::string
WriteSmallPath(const TemporaryFolder& folder)
{
    PathModel model;
    model.model = "ibox";
    model.forward.rate = BitRate::BitsPerSecond(8000000);
    model.forward.propagation = Duration::Milliseconds(10);
    model.forward.buffer = Bytes::Of(2000);
    model.forward.crossTraffic = {Duration::Milliseconds(1), {0, 4e6}};
    const std::string path = (folder.Path() / "path.pb").string();
    std::ofstream(path, std::ios::binary) << EncodePath(model);
    return path;
}

ns3::PacketRecord
RecordOf(ns3::FlowNumber flow)
{
    ns3::PacketRecord record{};
    record.flow = flow;
    record.wireSize = 1000;
    return record;
}

class LearnedPathElement : public testing::Test
{
  protected:
    ~LearnedPathElement() override
    {
        ns3::Simulator::Destroy();
    }

    ns3::Ptr<ns3::LearnedPath> Make(bool isBackward)
    {
        const auto path = ns3::CreateObjectWithAttributes<ns3::LearnedPath>(
            "ModelFile",
            ns3::StringValue(WriteSmallPath(m_folder)),
            "Backward",
            ns3::BooleanValue(isBackward));
        path->SetNext(m_sink);
        return path;
    }

    void SendAt(std::int64_t microseconds, ns3::LearnedPath& path, ns3::FlowNumber flow)
    {
        ns3::Simulator::Schedule(ns3::MicroSeconds(microseconds),
                                 [&path, flow] { path.Receive(RecordOf(flow)); });
    }

    TemporaryFolder m_folder;
    PacketSink m_sink;
};

// Flow 2's packet waits behind flow 1's, and the third finds the buffer full.
TEST_F(LearnedPathElement, FlowsShareOneFifo)
{
    const auto path = Make(false);
    SendAt(0, *path, 1);
    SendAt(0, *path, 2);
    SendAt(0, *path, 1);
    ns3::Simulator::Run();
    ASSERT_EQ(m_sink.arrivals.size(), 2u);
    EXPECT_EQ(m_sink.arrivals[0].ns, 11000000);
    EXPECT_EQ(m_sink.arrivals[1].ns, 12000000);
    EXPECT_EQ(m_sink.arrivals[1].flow, 2u);
}

// In the second millisecond cross traffic takes half of the rate: of 2,000 bytes 1,000 are left
// after the first and 500 after the second.
TEST_F(LearnedPathElement, StateAdvancesWhileNothingIsSent)
{
    const auto path = Make(false);
    SendAt(0, *path, 1);
    SendAt(0, *path, 1);
    SendAt(2000, *path, 1);
    ns3::Simulator::Run();
    ASSERT_EQ(m_sink.arrivals.size(), 3u);
    EXPECT_EQ(m_sink.arrivals[2].ns, 2000000 + 1500000 + 10000000);
}

TEST_F(LearnedPathElement, BackwardHasNoCrossTraffic)
{
    const auto path = Make(true);
    SendAt(0, *path, 1);
    SendAt(0, *path, 1);
    SendAt(2000, *path, 1);
    ns3::Simulator::Run();
    ASSERT_EQ(m_sink.arrivals.size(), 3u);
    EXPECT_EQ(m_sink.arrivals[2].ns, 2000000 + 1000000 + 10000000);
}

TEST(LearnedPathFile, ThatIsNotThereIsRefused)
{
    PacketSink sink;
    const auto path = ns3::CreateObject<ns3::LearnedPath>();
    path->SetAttribute("ModelFile", ns3::StringValue("nowhere.pb"));
    EXPECT_EQ(ErrorText([&] { path->SetNext(sink); }), "nowhere.pb: cannot be read");
}

} // namespace
} // namespace geotrain
