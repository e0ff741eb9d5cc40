// SPDX-License-Identifier: GPL-2.0-only
#include "live/live-run.h"

#include "live-wan/helper/live-bearer.h"
#include "live-wan/helper/urgency.h"
#include "live-wan/helper/wan-process.h"
#include "live-wan/model/live-addresses.h"
#include "live-wan/model/wall-clock-simulator-impl.h"
#include "live/node-names.h"
#include "runner/packet-recorder.h"
#include "runner/run-watch.h"
#include "units/config-error.h"

#include <ns3/rng-seed-manager.h>

#include <fmt/format.h>

#include <chrono>
#include <unistd.h>

namespace geotrain
{

namespace
{

using LiveClock = std::chrono::steady_clock;

constexpr int POLL_US = 10000;
constexpr double MOST_EXECUTOR_LATENESS_MS = 5; ///< computations and WAN delays take longer

/// Returns what has gone wrong with a live run, and what to do.
std::string
DoubtOf(const ns3::LiveWanReport& report, const ns3::Lateness& timers)
{
    const auto milliseconds = [](const ns3::Lateness& lateness)
    { return static_cast<double>(lateness.PercentileNs(0.99)) / 1e6; };
    std::string what;
    if (!report.KeptUp())
    {
        what =
            fmt::format("the live WAN did not keep up: 99 % of its packets left within {:.2f} ms "
                        "of their time (1 ms is allowed), and {} were dropped by the machine and "
                        "not by a link",
                        milliseconds(report.lateness),
                        report.OwnDrops());
    }
    else if (milliseconds(timers) > MOST_EXECUTOR_LATENESS_MS)
    {
        what = fmt::format("the executor did not keep up: 99 % of its events came within {:.2f} ms "
                           "of their time ({} ms are allowed)",
                           milliseconds(timers),
                           MOST_EXECUTOR_LATENESS_MS);
    }
    return what.empty() ? what
                        : what + "; results are not to be trusted: take a larger --scale, or end "
                                 "other programs";
}

/// CheckedBearer is the live bearer of a run, which says at its end how the WAN did.
class CheckedBearer : public ns3::LiveBearer
{
  public:
    /// `timers` outlives the bearer, which writes there how late the run's events were.
    CheckedBearer(ns3::WanProcess& wan, const ns3::NodeNamespaces& nodes, ns3::Lateness& timers)
        : LiveBearer(wan, nodes),
          m_report(wan.Report()),
          m_timers(timers)
    {
    }

    ~CheckedBearer() override
    {
        m_timers = ns3::WallClockSimulatorImpl::InUse().EventLateness();
        ns3::SetUrgency(ns3::Urgency::Ordinary); // tables and figures can wait
    }

    std::vector<std::string> Warnings() const override
    {
        const auto doubt = DoubtOf(m_report, ns3::WallClockSimulatorImpl::InUse().EventLateness());
        return doubt.empty() ? std::vector<std::string>() : std::vector<std::string>{doubt};
    }

  private:
    const ns3::LiveWanReport& m_report;
    ns3::Lateness& m_timers;
};

/// A LiveWorld is the namespaces and the WAN of one run.
class LiveWorld
{
  public:
    LiveWorld(const LoadedScenario& scenario, const LiveOptions& options)
        : m_scenario(scenario),
          m_options(options),
          m_nodes(SettingsOf(scenario, options.runsScenario), scenario.file)
    {
        ns3::UseWallClock();
        ns3::RngSeedManager::SetSeed(static_cast<std::uint32_t>(scenario.run.seed));
        ns3::RngSeedManager::SetRun(1);
    }

    const ns3::NodeNamespaces& Nodes() const
    {
        return m_nodes;
    }

    /// Starts the WAN over `topology`.
    ns3::WanProcess& StartWan(const WanTopology& topology)
    {
        ns3::WanProcessSettings settings;
        for (const auto node : m_options.captures)
        {
            auto name = NameOfNode(node, topology);
            name.replace(name.rfind('/'), 1, "-");
            settings.captures[node] = (m_options.run.folder / (name + ".pcap")).string();
        }
        settings.observe = [this](ns3::LightWan& links)
        {
            return std::make_shared<std::vector<std::unique_ptr<PacketRecorder>>>(
                RecordPackets(m_scenario.run.packetTrace, m_options.run.folder, links));
        };
        m_wan = std::make_unique<ns3::WanProcess>(topology, m_nodes, settings, m_scenario.file);
        m_start = LiveClock::now();
        return *m_wan;
    }

    bool HasWanEnded()
    {
        return m_wan && m_wan->HasEnded();
    }

    /// Makes the bearer "live" known, which a run of the scenario takes.
    void OfferBearer()
    {
        ns3::AddBearer(
            {"live", {}, [this](const WanTopology& topology, const std::string& /*file*/) {
                 return std::make_unique<CheckedBearer>(StartWan(topology), m_nodes, m_timers);
             }});
    }

    /// Ends the WAN and adds what it says of itself.
    void Finish(LiveResult& result)
    {
        const std::chrono::duration<double> carried = LiveClock::now() - m_start;
        result.seconds = carried.count();
        result.report = m_wan->EndAndReport();
        result.timers = m_timers;
    }

  private:
    static ns3::NodeNamespaceSettings SettingsOf(const LoadedScenario& scenario, bool haveAgents)
    {
        const auto& wan = scenario.cluster.wan;
        auto window = scenario.transport.window;
        if (scenario.transfer)
        {
            for (const auto& flow : scenario.transfer->flows)
            {
                window = std::max(window, flow.window);
            }
        }
        ns3::NodeNamespaceSettings settings;
        settings.nodes = wan.NodeCount();
        settings.mtu = static_cast<std::uint32_t>(wan.mtu.Count());
        settings.tcpWindow = window.Count();
        settings.growsWindows = !haveAgents;
        settings.slowStartAfterIdle = scenario.transport.slowStartAfterIdle;
        settings.ecn = scenario.transport.ecn;
        return settings;
    }

    const LoadedScenario& m_scenario;
    const LiveOptions& m_options;
    ns3::NodeNamespaces m_nodes;
    std::unique_ptr<ns3::WanProcess> m_wan;
    ns3::Lateness m_timers;
    LiveClock::time_point m_start;
};

/// Waits for the end of the leading program, of the shell, or for Ctrl-C.
void
AwaitPrograms(const LiveOptions& options,
              LiveWorld& world,
              NodePrograms& programs,
              EarlyEnd& early,
              LiveResult& result)
{
    if (options.shell)
    {
        result.shellCode = RunShell(
            world.Nodes(), *options.shell, fmt::format("node {}", *options.shell));
        return;
    }
    const auto nothing = [] { return std::string("programs run"); };
    while (!early.HasCome(nothing) && (options.holds || !programs.IsLeaderDone()))
    {
        if (world.HasWanEnded())
        {
            throw UnfinishedRun("the process of the WAN has ended");
        }
        usleep(POLL_US);
    }
}

} // namespace

std::string
LiveResult::Doubt() const
{
    return DoubtOf(report, timers);
}

void
RequireLive(const LoadedScenario& scenario)
{
    const auto refuse = [&scenario](const std::string& field, const std::string& why)
    { throw ConfigError(scenario.file, field, "", why + ": take it out, or use `geotrain run`"); };
    if (scenario.cluster.wan.NodeCount() > ns3::LiveAddresses::s_mostNodes)
    {
        refuse("data_center.nodes",
               fmt::format("a live WAN has at most {} nodes", ns3::LiveAddresses::s_mostNodes));
    }
    if (!scenario.crossTraffic.empty())
    {
        refuse("cross_traffic", "a live run has no cross traffic between routers");
    }
    if (scenario.inference)
    {
        refuse("inference", "a live run has no prefills");
    }
    if (scenario.inNetwork)
    {
        refuse("in_network", "a live run has no in-network optimizer");
    }
    for (std::size_t i = 0; i < scenario.cluster.wan.links.size(); ++i)
    {
        if (!scenario.cluster.wan.links[i].queueDisc.empty())
        {
            refuse(fmt::format("wan_link[{}].queue_disc", i), "a live WAN has no queue disc of ns-3");
        }
    }
}

LiveResult
RunLiveScenario(const LoadedScenario& scenario, const LiveOptions& options)
{
    LiveResult result;
    LiveWorld world(scenario, options);
    EarlyEnd early(scenario.run, {});
    NodePrograms programs(world.Nodes(), options.programs);
    if (options.runsScenario)
    {
        world.OfferBearer();
        LoadedScenario live = scenario;
        live.transport.bearer = "live";
        live.run.packetTrace.clear(); // the WAN's process records them
        programs.Start();
        result.summary = Run(live, options.run);
    }
    else
    {
        world.StartWan(scenario.cluster.wan).BeginSchedules();
        programs.Start();
    }
    if (options.onReady)
    {
        options.onReady();
    }
    AwaitPrograms(options, world, programs, early, result);
    programs.Stop();
    result.programs = programs.Programs();
    world.Finish(result);
    return result;
}

} // namespace geotrain
