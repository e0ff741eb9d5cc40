#include "runner/transfer-run.h"

#include "loader/scenario-loader.h"
#include "runner/packet-run-network.h"
#include "runner/run.h"

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::int64_t nicFactor = 10;
constexpr std::int64_t smallestPortQueue = 16000000; // bytes

ns3::WanTopology
TopologyOf(const TransferSettings& settings)
{
    ns3::WanTopology topology;
    ns3::WanTopology::Site site;
    site.nodes = 1;
    site.nicRate = BitRate::BitsPerSecond(settings.rate.ToBitsPerSecond() * nicFactor);
    site.intraRate = site.nicRate;
    site.name = "near";
    topology.sites.push_back(site);
    site.name = "far";
    topology.sites.push_back(site);
    ns3::WanTopology::Link link;
    link.from = 0;
    link.to = 1;
    link.rate = settings.rate;
    link.delay = Duration::Nanoseconds(settings.roundTrip.ToNanoseconds() / 2);
    link.queue = settings.queue;
    link.lossRate = settings.lossRate;
    topology.links.push_back(link);
    topology.mtu = settings.mtu;
    // The hosts themselves drop nothing.
    topology.portQueue =
        Bytes::Of(std::max(smallestPortQueue, 2 * settings.window.Count() * settings.connections));
    return topology;
}

PacketNetworkSettings
NetworkOf(const TransferSettings& settings)
{
    PacketNetworkSettings network;
    network.congestionControl = settings.congestionControl;
    network.window = settings.window;
    network.wanConnections = settings.connections;
    network.slowStartAfterIdle = settings.slowStartAfterIdle;
    network.bearer = settings.bearer;
    network.seed = settings.seed;
    return network;
}

/// Sends one message after another and notes how long each took.
class Messages
{
  public:
    Messages(const TransferSettings& settings, Network& network)
        : m_settings(settings),
          m_network(network)
    {
    }

    void SendNext()
    {
        m_begin = m_network.GetClock().Now();
        m_network.SendStriped(
            0, 1, m_settings.size, [this](const TransferEvent& event) { OnEvent(event); });
    }

    std::vector<double> completionSeconds;
    std::string failure;
    Instant end; ///< of the last delivery

  private:
    void OnEvent(const TransferEvent& event)
    {
        if (event.kind == TransferEvent::Kind::Failed)
        {
            failure = event.reason;
            return;
        }
        if (event.kind != TransferEvent::Kind::Delivered)
        {
            return;
        }
        end = event.at;
        completionSeconds.push_back((event.at - m_begin).ToSeconds());
        if (completionSeconds.size() < m_settings.messages)
        {
            m_network.GetClock().Schedule(event.at + m_settings.gap, [this] { SendNext(); });
        }
    }

    const TransferSettings& m_settings;
    Network& m_network;
    Instant m_begin;
};

} // namespace

TransferResult
RunTransfer(const TransferSettings& settings)
{
    PacketRunNetwork packets(TopologyOf(settings), NetworkOf(settings), "");
    Network& network = packets.Get();
    network.SetChunkSize(settings.connections == 1 ? settings.size : settings.chunk);
    network.Prepare({});
    Messages messages(settings, network);
    messages.SendNext();
    network.GetClock().Run(Instant::FromNanoseconds(INT64_MAX / 2));
    if (messages.completionSeconds.size() < settings.messages)
    {
        throw UnfinishedRun("message " + std::to_string(messages.completionSeconds.size()) +
                            " was not delivered: " + messages.failure);
    }
    packets.CheckConservation();
    const NetworkCounters counters = network.Counters();
    TransferResult result;
    result.completionSeconds = messages.completionSeconds;
    result.retransmitted = counters.retransmittedBytes;
    result.packets = counters.wanPackets;
    result.drops = counters.droppedPackets;
    result.simulatedSeconds = (messages.end - Instant()).ToSeconds();
    return result;
}

} // namespace geotrain
