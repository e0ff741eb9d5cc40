// SPDX-License-Identifier: GPL-2.0-only
// A light link that was learned, as an own program makes one: packets come out later or never, and flows
// share one FIFO.
#include "error-text.h"
#include "path-learning/path-file.h"
#include "temporary-folder.h"
#include "wan-topology/model/light-link.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <fstream>
#include <memory>
#include <optional>
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

class LearnedLightLink : public testing::Test
{
  protected:
    ~LearnedLightLink() override
    {
        ns3::Simulator::Destroy();
    }

    ns3::LightLink& Make(bool isBackward)
    {
        const LearnedLink link = LinkOf(ReadPathFile(WriteSmallPath(m_folder)));
        ns3::LinkSettings settings;
        settings.learned =
            std::make_shared<const PathParameters>(isBackward ? link.backward : link.forward);
        settings.rate = settings.learned->rate;
        settings.delay = settings.learned->propagation;
        m_link.emplace(settings, m_sink);
        return *m_link;
    }

    void SendAt(std::int64_t microseconds, ns3::LightLink& path, ns3::FlowNumber flow)
    {
        ns3::Simulator::Schedule(ns3::MicroSeconds(microseconds),
                                 [&path, flow] { path.Receive(RecordOf(flow)); });
    }

    TemporaryFolder m_folder;
    PacketSink m_sink;
    std::optional<ns3::LightLink> m_link;
};

// Flow 2's packet waits behind flow 1's, and the third finds the buffer full.
TEST_F(LearnedLightLink, FlowsShareOneFifo)
{
    ns3::LightLink& path = Make(false);
    SendAt(0, path, 1);
    SendAt(0, path, 2);
    SendAt(0, path, 1);
    ns3::Simulator::Run();
    ASSERT_EQ(m_sink.arrivals.size(), 2u);
    EXPECT_EQ(m_sink.arrivals[0].ns, 11000000);
    EXPECT_EQ(m_sink.arrivals[1].ns, 12000000);
    EXPECT_EQ(m_sink.arrivals[1].flow, 2u);
}

// In the second millisecond cross traffic takes half of the rate: of 2,000 bytes 1,000 are left
// after the first and 500 after the second.
TEST_F(LearnedLightLink, StateAdvancesWhileNothingIsSent)
{
    ns3::LightLink& path = Make(false);
    SendAt(0, path, 1);
    SendAt(0, path, 1);
    SendAt(2000, path, 1);
    ns3::Simulator::Run();
    ASSERT_EQ(m_sink.arrivals.size(), 3u);
    EXPECT_EQ(m_sink.arrivals[2].ns, 2000000 + 1500000 + 10000000);
}

TEST_F(LearnedLightLink, BackwardHasNoCrossTraffic)
{
    ns3::LightLink& path = Make(true);
    SendAt(0, path, 1);
    SendAt(0, path, 1);
    SendAt(2000, path, 1);
    ns3::Simulator::Run();
    ASSERT_EQ(m_sink.arrivals.size(), 3u);
    EXPECT_EQ(m_sink.arrivals[2].ns, 2000000 + 1000000 + 10000000);
}

} // namespace
} // namespace geotrain
