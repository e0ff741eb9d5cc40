// SPDX-License-Identifier: GPL-2.0-only
#include "loader/flow-section.h"

#include "loader/network-section.h"
#include "loader/run-settings.h"
#include "loader/transport-section.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"
#include "units/random-stream.h"
#include "wan/wan-paths.h"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <set>
#include <utility>

namespace geotrain
{

namespace
{

using scenario::Scenario;

constexpr double mostArrivals = 100000; // the connections of all stay in memory
constexpr std::size_t mostFlows = 10000;
const Duration mostExtra = Duration::Seconds(10); // of a round trip

/// FlowResolver resolves the entries of one scenario.
class FlowResolver
{
  public:
    FlowResolver(Scenario& scenario, const WanTopology& topology, const ScenarioFile& file)
        : m_scenario(scenario),
          m_topology(topology),
          m_file(file)
    {
    }

    void Add(scenario::Flow& written, int index)
    {
        m_path = fmt::format("transfer.flow[{}].", index);
        FillIn(written, index);
        CheckTimes(written);
        CheckArrivals(written);
        TransferFlow flow = Typed(written);
        for (std::int64_t i = 1; i <= written.count(); ++i)
        {
            flow.name = written.count() == 1 ? flow.group : fmt::format("{}-{}", flow.group, i);
            flow.extraRoundTrip = ExtraRoundTrip(written, flow, static_cast<int>(i - 1));
            if (!m_names.insert(flow.name).second)
            {
                m_file.Fail(m_path + "name", flow.name, "must be the name of one flow only");
            }
            m_flows.push_back(flow);
        }
        if (m_flows.size() > mostFlows)
        {
            m_file.Fail(m_path + "count",
                        std::to_string(written.count()),
                        fmt::format("makes more than {} flows", mostFlows));
        }
    }

    std::vector<TransferFlow> Take()
    {
        return std::move(m_flows);
    }

  private:
    /// Sets what the entry leaves out.
    void FillIn(scenario::Flow& written, int index) const
    {
        const auto& transfer = m_scenario.transfer();
        const auto& transport = m_scenario.transport();
        const auto orElse = [](bool isSet, const auto& own, const auto& other)
        { return isSet ? own : other; };
        written.set_name(
            orElse(written.has_name(), written.name(), fmt::format("flow-{}", index + 1)));
        written.set_from(orElse(written.has_from(), written.from(), transfer.from()));
        written.set_to(orElse(written.has_to(), written.to(), transfer.to()));
        written.set_congestion_control(FullNameOfControl(orElse(written.has_congestion_control(),
                                                                written.congestion_control(),
                                                                transport.congestion_control()),
                                                         m_path + "congestion_control",
                                                         m_file));
        written.set_connections(
            orElse(written.has_connections(), written.connections(), transport.connections()));
        written.set_window(orElse(written.has_window(), written.window(), transport.window()));
        written.set_ecn(orElse(written.has_ecn(), written.ecn(), transport.ecn()));
        written.set_stop(orElse(written.has_stop(), written.stop(), transfer.duration()));
        if (written.has_size() && !written.has_arrivals_per_second() && !written.has_gap())
        {
            written.set_gap("0");
        }
    }

    void CheckTimes(const scenario::Flow& written) const
    {
        const Duration end = ParseDuration(m_scenario.transfer().duration());
        const Duration stop = ParseDuration(written.stop());
        if (stop > end)
        {
            m_file.Fail(m_path + "stop", written.stop(), "must be <= transfer.duration");
        }
        if (written.has_start() && ParseDuration(written.start()) >= stop)
        {
            m_file.Fail(m_path + "start",
                        written.start(),
                        "must be earlier than the flow's stop, " + written.stop());
        }
    }

    void CheckArrivals(const scenario::Flow& written) const
    {
        const Duration start = written.has_start() ? ParseDuration(written.start()) : Duration();
        const double seconds = (ParseDuration(written.stop()) - start).ToSeconds();
        if (written.arrivals_per_second() * seconds > mostArrivals)
        {
            m_file.Fail(m_path + "arrivals_per_second",
                        fmt::format("{}", written.arrivals_per_second()),
                        fmt::format("times the flow's time must be at most {}", mostArrivals));
        }
    }

    TransferFlow Typed(const scenario::Flow& written) const
    {
        TransferFlow flow;
        static_cast<ns3::TransportOptions&>(flow) = SettingsOfTransport(m_scenario.transport());
        flow.group = written.name();
        flow.source = FirstNodeOf(written.from(), m_path + "from", m_topology, m_file);
        flow.destination = FirstNodeOf(written.to(), m_path + "to", m_topology, m_file);
        if (flow.source == flow.destination)
        {
            m_file.Fail(m_path + "to", written.to(), "must be another data centre than from");
        }
        flow.congestionControl = written.congestion_control();
        flow.connections = Small(written.connections());
        flow.window = ParseBytes(written.window());
        flow.ecn = written.ecn();
        auto transport = m_scenario.transport();
        transport.set_ecn(flow.ecn);
        CheckAnswersMarks(transport, flow.congestionControl, m_file);
        flow.stop = ParseDuration(written.stop());
        if (written.has_start())
        {
            flow.start = ParseDuration(written.start());
        }
        flow.size = written.has_size() ? ParseBytes(written.size()) : Bytes();
        flow.sizes = written.size_distribution() == scenario::WEB_SEARCH ? FlowSizes::WebSearch
                                                                         : FlowSizes::Equal;
        flow.gap = written.has_gap() ? ParseDuration(written.gap()) : Duration();
        flow.arrivalsPerSecond = written.arrivals_per_second();
        flow.cold = written.cold() || flow.arrivalsPerSecond > 0;
        return flow;
    }

    /// Returns what the round trip of a flow, the `place`th of its entry, has beyond the path's: listed or
    /// drawn.
    Duration ExtraRoundTrip(const scenario::Flow& written, const TransferFlow& flow, int place)
    {
        const auto& transfer = m_scenario.transfer();
        const Duration spread =
            transfer.has_rtt_spread() ? ParseDuration(transfer.rtt_spread()) : Duration();
        if (written.rtt_size() == 0 && spread == Duration())
        {
            return {};
        }
        const std::string field = written.rtt_size() > 0 ? m_path + "rtt" : "transfer.rtt_spread";
        const std::string& value = written.rtt_size() > 0 ? written.rtt(place % written.rtt_size())
                                                          : transfer.rtt_spread();
        RequireOfBearer(m_scenario.transport(), ns3::BearerFeature::OwnPaths, field, value, m_file);
        if (written.rtt_size() == 0)
        {
            RandomStream draws(
                static_cast<std::uint64_t>(m_scenario.run().seed()), "flow-round-trips", flow.name);
            return Duration::Seconds(draws.Uniform() * spread.ToSeconds());
        }
        m_paths = m_paths ? m_paths : std::make_shared<const WanPaths>(m_topology);
        const auto ofPath = m_paths->RoundTripTime(flow.source, flow.destination);
        const Duration extra = ParseDuration(value) - ofPath.value_or(Duration());
        if (extra < Duration() || mostExtra < extra)
        {
            m_file.Fail(field,
                        value,
                        fmt::format("must be >= the path's round trip, {}, and at most 10 s more",
                                    Format(ofPath.value_or(Duration()))));
        }
        return extra;
    }

    Scenario& m_scenario;
    const WanTopology& m_topology;
    const ScenarioFile& m_file;
    std::string m_path;
    std::shared_ptr<const WanPaths> m_paths; ///< null: nobody asked yet
    std::set<std::string> m_names;
    std::vector<TransferFlow> m_flows;
};

} // namespace

std::uint32_t
FirstNodeOf(const std::string& name,
            const std::string& field,
            const WanTopology& topology,
            const ScenarioFile& file)
{
    const std::uint32_t dataCenter = DataCenterNamed(topology, name, field, file);
    const auto end = topology.sites.begin() + dataCenter;
    return std::accumulate(topology.sites.begin(),
                           end,
                           0U,
                           [](std::uint32_t nodes, const auto& site)
                           { return nodes + site.nodes; });
}

std::vector<TransferFlow>
ResolveFlows(Scenario& scenario, const WanTopology& topology, const ScenarioFile& file)
{
    auto& transfer = *scenario.mutable_transfer();
    if (!transfer.has_duration())
    {
        return {};
    }
    if (transfer.flow_size() == 0)
    {
        auto& flow = *transfer.add_flow();
        flow.set_count(1);
        flow.set_cold(false);
    }
    // The field rules have filled in what only messages have.
    transfer.clear_messages();
    transfer.clear_gap();
    transfer.clear_cold();
    FlowResolver resolver(scenario, topology, file);
    for (int i = 0; i < transfer.flow_size(); ++i)
    {
        resolver.Add(*transfer.mutable_flow(i), i);
    }
    return resolver.Take();
}

} // namespace geotrain
