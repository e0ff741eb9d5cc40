// SPDX-License-Identifier: GPL-2.0-only
#include "live/live-run.h"

#include "live-wan/helper/live-bearer.h"
#include "live-wan/helper/live-transport.h"
#include "live-wan/helper/rights.h"
#include "live-wan/helper/urgency.h"
#include "live-wan/helper/wan-process.h"
#include "live-wan/model/live-addresses.h"
#include "live-wan/model/wall-clock-simulator-impl.h"
#include "live/node-names.h"
#include "runner/packet-recorder.h"
#include "runner/run-watch.h"
#include "trace/result-file.h"
#include "units/config-error.h"

#include <ns3/rng-seed-manager.h>

#include <fmt/format.h>

#include <algorithm>
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
DoubtOf(const ns3::LiveWanReport& report, const ns3::Lateness& timers, const ns3::Lateness& agents)
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
    else if (milliseconds(agents) > MOST_EXECUTOR_LATENESS_MS)
    {
        what =
            fmt::format("the agents did not keep up: 99 % of what they and the executor tell each "
                        "other was read within {:.2f} ms ({} ms are allowed)",
                        milliseconds(agents),
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
    /// `result` outlives the bearer, which writes there how late the run's events and messages were.
    CheckedBearer(ns3::WanProcess& wan, const ns3::NodeNamespaces& nodes, LiveResult& result)
        : LiveBearer(wan, nodes),
          m_wan(wan),
          m_result(result)
    {
    }

    ~CheckedBearer() override
    {
        m_result.timers = ns3::WallClockSimulatorImpl::InUse().EventLateness();
        m_result.agents = AgentLateness();
        ns3::SetUrgency(ns3::Urgency::Ordinary); // tables and figures can wait
    }

    std::string Doubt() override
    {
        return DoubtOf(
            m_wan.Report(), ns3::WallClockSimulatorImpl::InUse().EventLateness(), AgentLateness());
    }

  private:
    ns3::WanProcess& m_wan;
    LiveResult& m_result;
};

/// A LiveWorld is the namespaces and the WAN of one run.
class LiveWorld
{
  public:
    LiveWorld(const Experiment& scenario, const LiveOptions& options)
        : m_scenario(scenario),
          m_options(options),
          m_nodes(SettingsOf(scenario, options.runsScenario), scenario.provenance.file)
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
            std::replace(name.begin(), name.end(), '/', '-');
            settings.captures[node] = (m_options.run.folder / (name + ".pcap")).string();
            RecordInPlace(settings.captures[node]);
        }
        settings.observe = [this](ns3::LightWan& links)
        {
            return std::make_shared<std::vector<std::unique_ptr<PacketRecorder>>>(
                RecordPackets(m_scenario.run.packetTrace, m_options.run.folder, links));
        };
        m_wan = std::make_unique<ns3::WanProcess>(
            topology, m_nodes, settings, m_scenario.provenance.file);
        m_start = LiveClock::now();
        return *m_wan;
    }

    bool HasWanEnded()
    {
        return m_wan && m_wan->HasEnded();
    }

    int OpenShell() const
    {
        const auto node = *m_options.shell;
        return RunShell(m_nodes, node, NameOfNode(node, m_scenario.testbed.wan), &WasInterrupted);
    }

    /// Makes the bearer "live" known, which a run of the scenario takes. `result` outlives the run.
    void OfferBearer(LiveResult& result)
    {
        const auto make = [this, &result](const WanTopology& topology, const std::string& /*file*/)
        {
            auto bearer = std::make_unique<CheckedBearer>(StartWan(topology), m_nodes, result);
            GiveUpRights();
            return bearer;
        };
        ns3::AddBearer({"live",
                        {ns3::BearerFeature::CrossTraffic,
                         ns3::BearerFeature::PacingRate,
                         ns3::BearerFeature::Rival},
                        make});
    }

    /// The executor needs no rights once its namespaces, programs and agents are there. A shell enters
    /// its node later.
    void GiveUpRights() const
    {
        if (!m_options.shell)
        {
            ns3::DropRights();
        }
    }

    /// Ends the WAN and adds what it says of itself.
    void Finish(LiveResult& result)
    {
        const std::chrono::duration<double> carried = LiveClock::now() - m_start;
        result.seconds = carried.count();
        result.report = m_wan->EndAndReport();
    }

  private:
    static ns3::NodeNamespaceSettings SettingsOf(const Experiment& scenario, bool haveAgents)
    {
        const auto& wan = scenario.testbed.wan;
        auto window = scenario.testbed.transport.window;
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
        settings.slowStartAfterIdle = scenario.testbed.transport.slowStartAfterIdle;
        settings.ecn = scenario.testbed.transport.ecn;
        return settings;
    }

    const Experiment& m_scenario;
    const LiveOptions& m_options;
    ns3::NodeNamespaces m_nodes;
    std::unique_ptr<ns3::WanProcess> m_wan;
    LiveClock::time_point m_start;
};

/// Throws ConfigError where the kernel lacks a control of the scenario. Cross traffic is simulated.
void
RequireControls(const Experiment& scenario)
{
    ns3::KernelCongestionControl(scenario.testbed.transport.congestionControl,
                                 scenario.provenance.file);
    if (!scenario.transfer)
    {
        return;
    }
    if (!scenario.transfer->rival.empty())
    {
        ns3::KernelCongestionControl(
            scenario.transfer->rival, scenario.provenance.file, "transfer.rival");
    }
    for (const auto& flow : scenario.transfer->flows)
    {
        ns3::KernelCongestionControl(flow.congestionControl,
                                     scenario.provenance.file,
                                     "transfer.flow \"" + flow.name + "\".congestion_control");
    }
}

/// Waits for the end of the shell, of the leading program, or for Ctrl-C. Returns why it did not
/// wait for the end; empty where it did.
std::string
AwaitPrograms(const LiveOptions& options,
              LiveWorld& world,
              NodePrograms& programs,
              EarlyEnd& early,
              LiveResult& result)
{
    if (options.shell)
    {
        result.shellCode = world.OpenShell();
    }
    const auto nothing = [] { return std::string("programs run"); };
    const auto isOver = [&]
    { return !options.holds && (options.shell || programs.IsLeaderDone()); };
    while (!isOver())
    {
        if (world.HasWanEnded())
        {
            return "the process of the WAN has ended";
        }
        if (early.HasCome(nothing))
        {
            return options.holds ? "" : "interrupted: programs were stopped";
        }
        usleep(POLL_US);
    }
    return "";
}

} // namespace

std::string
LiveResult::Doubt() const
{
    return DoubtOf(report, timers, agents);
}

void
RequireLive(const Experiment& scenario, bool runsScenario)
{
    const auto refuse = [&scenario](const std::string& field, const std::string& why)
    {
        throw ConfigError(
            scenario.provenance.file, field, "", why + ": take it out, or use `geotrain run`");
    };
    if (scenario.testbed.wan.NodeCount() > ns3::LiveAddresses::s_mostNodes)
    {
        refuse("data_center.nodes",
               fmt::format("a live WAN has at most {} nodes", ns3::LiveAddresses::s_mostNodes));
    }
    if (runsScenario)
    {
        RequireControls(scenario);
    }
    if (!scenario.crossTraffic.empty() && !runsScenario)
    {
        throw ConfigError(scenario.provenance.file,
                          "cross_traffic",
                          "",
                          "comes with the scenario's iterations or transfers: add --train");
    }
    if (scenario.run.formulaInside)
    {
        refuse("run.inside_data_center", "a live run carries all messages over its WAN");
    }
    if (scenario.run.repeat > 0)
    {
        refuse("run.repeat", "no two iterations of a live run are alike");
    }
    for (const auto& job : scenario.jobs)
    {
        if (runsScenario && !job.name.empty())
        {
            refuse("job", "a live run has one training, since each job would run alone before");
        }
        if (job.inference)
        {
            refuse("inference", "a live run has no prefills");
        }
        if (job.inNetwork)
        {
            refuse("in_network", "a live run has no in-network optimizer");
        }
    }
    for (std::size_t i = 0; i < scenario.testbed.wan.links.size(); ++i)
    {
        if (!scenario.testbed.wan.links[i].queueDisc.empty())
        {
            refuse(fmt::format("wan_link[{}].queue_disc", i),
                   "a live WAN has no queue disc of ns-3");
        }
    }
}

LiveResult
RunLiveScenario(const Experiment& scenario, const LiveOptions& options)
{
    LiveResult result;
    LiveWorld world(scenario, options);
    EarlyEnd early(scenario.run, {});
    NodePrograms programs(world.Nodes(), options.programs);
    if (options.runsScenario)
    {
        world.OfferBearer(result);
        Experiment live = scenario;
        live.testbed.transport.bearer = "live";
        live.run.packetTrace.clear(); // the WAN's process records them
        programs.Start();
        try
        {
            result.summary = Run(live, options.run);
        }
        catch (const UnfinishedRun& unfinished)
        {
            result.unfinished = unfinished.what();
        }
    }
    else
    {
        world.StartWan(scenario.testbed.wan).BeginSchedules();
        programs.Start();
        world.GiveUpRights();
    }
    if (options.onReady)
    {
        options.onReady();
    }
    if (result.unfinished.empty())
    {
        result.unfinished = AwaitPrograms(options, world, programs, early, result);
    }
    programs.Stop();
    result.programs = programs.Programs();
    world.Finish(result);
    return result;
}

} // namespace geotrain
