// SPDX-License-Identifier: GPL-2.0-only
#include "network-comparison.h"
#include "experiment-streams.h"
#include "loader/scenario-loader.h"
#include "runner/analytic-testbed.h"

#include "execution/spatial-sharing.h"
#include "execution/temporal-sharing.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace geotrain
{

namespace
{

// us, of the way. ns-3's timestamps count whole milliseconds, so that a round trip of just some of
// them is special: 2 ms, 8 MB over 4 warm connections, in turns, takes 106.2 ms, and 98.3 to 99.5
// ms with 1 to 40 us more.
constexpr std::int64_t offWholeMilliseconds = 7;

std::uint32_t
Pipelines(const NetworkCase& networkCase)
{
    return networkCase.sharing == NetworkCase::Sharing::Alone ? 1 : 4;
}

Experiment
Load(const NetworkCase& networkCase)
{
    const auto pipelines = Pipelines(networkCase);
    const bool temporal = networkCase.sharing == NetworkCase::Sharing::Temporal;
    const auto text = fmt::format(
        R"(
model {{ transformer {{ layers: 2 hidden: 512 heads: 8 vocabulary: 1000 }} sequence: 512 microbatches: 1 }}
parallelism {{ pipeline_stages: 2 data_parallel: {0} }}
data_center {{ name: "a" nodes: {0} gpus_per_node: 1 gpu: "A100-80" }}
data_center {{ name: "b" nodes: {0} gpus_per_node: 1 gpu: "A100-80" }}
wan_link {{ from: "a" to: "b" rate: "10Gbps" delay: "{1}us" queue: "1GB" }}
caps {{ node_pair: "5Gbps" queue: "1GB" }}
mtu: 9000
transport {{ connections: {2} window: "4MB" }}
sharing: {3}
run {{ all_reduce_fidelity: ANALYTIC }}
)",
        pipelines,
        networkCase.roundTripMilliseconds * 500 + offWholeMilliseconds,
        networkCase.connections,
        temporal ? "TEMPORAL" : "SPATIAL");
    return LoadScenario({"network-case", ".", text});
}

std::vector<Network::WarmUp>
WarmUps(const PlanStreams& plan, const NetworkCase& networkCase)
{
    auto pairs = plan.pairs;
    for (auto& pair : pairs)
    {
        const auto dataCenterOf = [&plan](NodeIndex node)
        { return plan.cells.dataCenterOfNode[node]; };
        const bool crossesWan = dataCenterOf(pair.source) != dataCenterOf(pair.destination);
        const std::int64_t connections = crossesWan ? networkCase.connections : 1;
        const std::int64_t lanes = plan.temporal ? plan.cells.cellSize : 1;
        switch (networkCase.windows)
        {
        case NetworkCase::Windows::Cold:
            pair.size = Bytes::Of(connections);
            break;
        case NetworkCase::Windows::Warm:
            pair.size = Bytes::Of(networkCase.megabytes * 1000000 / lanes);
            break;
        case NetworkCase::Windows::Open:
            pair.size = Bytes::Of(connections * 12000000);
            break;
        }
    }
    return pairs;
}

/// PingPong pipelines send a message, wait for the answer, and so on.
class PingPong
{
  public:
    PingPong(MessageCarrier& carrier, const PlanStreams& plan, const NetworkCase& networkCase)
        : m_carrier(carrier),
          m_plan(plan),
          m_size(Bytes::Of(networkCase.megabytes * 1000000)),
          m_messages(networkCase.messages)
    {
    }

    void Send(std::uint32_t pipeline, std::uint32_t number)
    {
        const bool back = number % 2 == 1;
        Message message;
        message.sender = 2 * pipeline + (back ? 1 : 0);
        message.receiver = 2 * pipeline + (back ? 0 : 1);
        message.source = m_plan.cells.nodeOfWorker[message.sender];
        message.destination = m_plan.cells.nodeOfWorker[message.receiver];
        message.size = m_size;
        m_carrier.Send(message,
                       [this, pipeline, number](const MessageTimes& times, const std::string&)
                       {
                           m_end = std::max(m_end, times.delivered.ToSeconds());
                           if (number + 1 < m_messages)
                           {
                               Send(pipeline, number + 1);
                           }
                       });
    }

    double End() const
    {
        return m_end;
    }

  private:
    MessageCarrier& m_carrier;
    const PlanStreams& m_plan;
    Bytes m_size;
    std::uint32_t m_messages;
    double m_end = 0;
};

double
SecondsOver(Network& network,
            const PlanStreams& plan,
            const NetworkCase& networkCase,
            const Experiment& scenario)
{
    network.Prepare(WarmUps(plan, networkCase));
    MessageLayer layer(network);
    std::unique_ptr<MessageCarrier> carrier = std::make_unique<SpatialSharing>(layer);
    if (scenario.jobs[0].plan.sharing == WanSharing::Temporal)
    {
        carrier = std::make_unique<TemporalSharing>(layer, plan.cells, Duration());
    }
    PingPong pingPong(*carrier, plan, networkCase);
    for (std::uint32_t pipeline = 0; pipeline < Pipelines(networkCase); ++pipeline)
    {
        pingPong.Send(pipeline, 0);
    }
    network.GetClock().Run(Instant::Never());
    return pingPong.End();
}

} // namespace

std::string
NetworkCase::Name() const
{
    const char* sharings[] = {"alone", "spatial", "temporal"};
    const char* states[] = {"cold", "warm", "open"};
    return fmt::format("RTT {} ms, {} MB, {} connections, {}, {}",
                       roundTripMilliseconds,
                       megabytes,
                       connections,
                       sharings[static_cast<int>(sharing)],
                       states[static_cast<int>(windows)]);
}

NetworkTimes
TimesOverPackets(const NetworkCase& networkCase)
{
    const auto scenario = Load(networkCase);
    NetworkTimes times;
    const auto plan = StreamsOf(scenario);
    const BareTestbed packets(scenario, plan.pairs);
    Network& network = packets.testbed.GetNetwork();
    times.packets = SecondsOver(network, plan, networkCase, scenario);
    packets.testbed.CheckConservation();
    times.drops = network.Counters().droppedPackets;
    return times;
}

double
TimeOverAnalytic(const NetworkCase& networkCase)
{
    const auto scenario = Load(networkCase);
    const auto plan = StreamsOf(scenario);
    const auto& testbed = scenario.testbed;
    const auto analytic =
        MakeAnalyticNetwork(testbed.wan, testbed.analytic, plan.pairs, {scenario.run.seed, false});
    return SecondsOver(*analytic, plan, networkCase, scenario);
}

NetworkTimes
Compare(const NetworkCase& networkCase)
{
    auto times = TimesOverPackets(networkCase);
    times.analytic = TimeOverAnalytic(networkCase);
    return times;
}

} // namespace geotrain
