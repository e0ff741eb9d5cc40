// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-network.h"

#include "analytic/analytic-network.h"
#include "runner/analytic-run-network.h"
#include "runner/packet-run-network.h"
#include "training-network/model/training-network.h"

#include <map>
#include <utility>

namespace geotrain
{

namespace
{

/// AnalyticRunNetwork is the network of a run without packets.
class AnalyticRunNetwork : public RunNetwork
{
  public:
    explicit AnalyticRunNetwork(std::unique_ptr<Network> network)
        : m_network(std::move(network))
    {
    }

    Network& Get() override
    {
        return *m_network;
    }

  private:
    std::unique_ptr<Network> m_network;
};

using Maker = std::unique_ptr<RunNetwork> (*)(const LoadedScenario&, const PlanStreams&);

std::unique_ptr<RunNetwork>
MakeOfPackets(const LoadedScenario& scenario, const PlanStreams& /*plan*/)
{
    return std::make_unique<PacketRunNetwork>(scenario);
}

std::unique_ptr<RunNetwork>
MakeAnalytic(const LoadedScenario& scenario, const PlanStreams& plan)
{
    RefuseLossesWithoutModel(scenario);
    return std::make_unique<AnalyticRunNetwork>(MakeAnalyticNetwork(scenario, plan));
}

/// How each of NetworkKinds() is made.
const std::map<const NetworkKind*, Maker>&
Makers()
{
    static const std::map<const NetworkKind*, Maker> makers{
        {&ns3::TrainingNetwork::StaticKind(), &MakeOfPackets},
        {&AnalyticNetwork::StaticKind(), &MakeAnalytic}};
    return makers;
}

} // namespace

void
WriteDoubt(RunNetwork& network, TraceWriter& writer)
{
    const auto doubt = network.Doubt();
    if (!doubt.empty())
    {
        trace::Record record;
        record.mutable_warning()->set_text(doubt);
        record.mutable_warning()->set_untrusted(true);
        writer.Write(record);
    }
}

std::unique_ptr<RunNetwork>
MakeRunNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    return Makers().at(scenario.run.network)(scenario, plan);
}

} // namespace geotrain
