// Whatever a path does, every byte arrives once and in order: thousands of random paths with loss, reordering,
// duplication, outages and rate steps, messages of random sizes and every kind of control.
#include "bulk-tcp/helper/express-path-helper.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <string>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

/// Loses, repeats, holds back and blacks out packets at random.
class HostileElement : public PacketElement
{
  public:
    struct Settings
    {
        double loss = 0;
        double duplication = 0;
        double reordering = 0;   ///< share of packets that are held back
        std::int64_t heldNs = 0; ///< at most
        std::int64_t outageBeginNs = 0;
        std::int64_t outageEndNs = 0;
    };

    HostileElement(const Settings& settings, geotrain::RandomStream& random, PacketElement& next)
        : m_settings(settings),
          m_random(random),
          m_next(next)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        const std::int64_t now = NowNs();
        if (now >= m_settings.outageBeginNs && now < m_settings.outageEndNs)
        {
            return;
        }
        if (m_random.Uniform() < m_settings.loss)
        {
            return;
        }
        if (m_random.Uniform() < m_settings.duplication)
        {
            m_next.Receive(record);
        }
        if (m_random.Uniform() < m_settings.reordering)
        {
            const double share = m_random.Uniform();
            const auto heldNs =
                static_cast<std::uint64_t>(share * static_cast<double>(m_settings.heldNs));
            PacketElement& next = m_next;
            Simulator::Schedule(NanoSeconds(heldNs), [&next, record] { next.Receive(record); });
            return;
        }
        m_next.Receive(record);
    }

  private:
    Settings m_settings;
    geotrain::RandomStream& m_random;
    PacketElement& m_next;
};

const std::vector<std::string> controls{"TcpNewReno",
                                        "TcpLinuxReno",
                                        "TcpCubic",
                                        "TcpBic",
                                        "TcpBbr",
                                        "TcpDctcp",
                                        "TcpHighSpeed",
                                        "TcpHtcp",
                                        "TcpHybla",
                                        "TcpIllinois",
                                        "TcpLedbat",
                                        "TcpLp",
                                        "TcpScalable",
                                        "TcpVegas",
                                        "TcpVeno",
                                        "TcpWestwood",
                                        "TcpYeah"};

class RandomPath
{
  public:
    explicit RandomPath(std::uint64_t seed)
        : m_random(seed, "delivery-test", "path")
    {
    }

    void CarriesEverythingOnceInOrder()
    {
        ExpressPathHelper path;
        LinkModel::Settings link;
        link.rate = BitRate::BitsPerSecond(1000000 + Below(200000000));
        link.delay = Duration::Microseconds(50 + Below(30000));
        link.queue = QueueLimit::OfBytes(Bytes::Of(4000 + Below(500000)));
        link.lossRate = 0.1 * Uniform() * Uniform() * Uniform();
        link.seed = static_cast<std::uint64_t>(Below(1000000));
        link.name = "random";
        path.AddLink(link);
        const HostileElement::Settings hostile = DrawHostility();
        path.PutBeforeForward(
            [&](PacketElement& next)
            { return std::make_unique<HostileElement>(hostile, m_random, next); });
        path.Build();
        const auto flows = static_cast<std::size_t>(1 + Below(3));
        std::vector<std::vector<std::uint64_t>> sent(flows);
        std::uint64_t message = 0;
        for (std::size_t i = 0; i < flows; ++i)
        {
            const FlowNumber flow = path.AddFlow(DrawOptions(), link.seed);
            const std::int64_t count = 1 + Below(4);
            for (std::int64_t j = 0; j < count; ++j)
            {
                sent[i].push_back(++message);
                path.Sender(flow).Send(message, static_cast<std::uint64_t>(1 + Below(300000)));
            }
        }
        Simulator::Stop(Seconds(100000));
        Simulator::Run();
        path.CheckConservation();
        EXPECT_TRUE(path.Log().failed.empty());
        for (std::size_t i = 0; i < flows; ++i)
        {
            EXPECT_FALSE(path.Sender(static_cast<FlowNumber>(i)).Outstanding());
            std::vector<std::uint64_t> delivered;
            for (const std::uint64_t number : path.Log().delivered)
            {
                if (number >= sent[i].front() && number <= sent[i].back())
                {
                    delivered.push_back(number);
                }
            }
            EXPECT_EQ(delivered, sent[i]);
        }
        Simulator::Destroy();
    }

  private:
    double Uniform()
    {
        return m_random.Uniform();
    }

    std::int64_t Below(std::int64_t bound)
    {
        return static_cast<std::int64_t>(Uniform() * static_cast<double>(bound));
    }

    HostileElement::Settings DrawHostility()
    {
        HostileElement::Settings settings;
        settings.loss = Below(2) == 0 ? 0 : 0.05 * Uniform();
        settings.duplication = Below(2) == 0 ? 0 : 0.05 * Uniform();
        settings.reordering = Below(2) == 0 ? 0 : 0.1 * Uniform();
        settings.heldNs = 1 + Below(50000000);
        if (Below(3) == 0)
        {
            settings.outageBeginNs = Below(1000000000);
            settings.outageEndNs = settings.outageBeginNs + Below(5000000000);
        }
        return settings;
    }

    BulkTcpOptions DrawOptions()
    {
        const bool stock = Below(4) == 0;
        BulkTcpOptions options = stock ? BulkTcpOptions::StockCompatible() : BulkTcpOptions();
        options.congestionControl =
            controls[static_cast<std::size_t>(Below(static_cast<std::int64_t>(controls.size())))];
        options.mtu = Bytes::Of(576 + Below(9000 - 576));
        options.window = Bytes::Of(options.SegmentSize() + Below(4000000));
        options.tailLossProbe = !stock && Below(2) == 0;
        options.ecn = Below(2) == 0;
        return options;
    }

    geotrain::RandomStream m_random;
};

class RandomPaths : public testing::TestWithParam<int>
{
};

TEST_P(RandomPaths, CarryEverythingOnceInOrder)
{
    constexpr std::uint64_t pathsPerTest = 250;
    for (std::uint64_t i = 0; i < pathsPerTest; ++i)
    {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * pathsPerTest + i;
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomPath(seed).CarriesEverythingOnceInOrder();
        if (HasFailure())
        {
            return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Hostile, RandomPaths, testing::Range(0, 12));

} // namespace
