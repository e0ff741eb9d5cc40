// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/helper/wan-process.h"

#include "live-wan/helper/rights.h"
#include "live-wan/helper/urgency.h"
#include "live-wan/model/live-wan.h"
#include "units/config-error.h"
#include "wan-topology/model/heap-simulator-impl.h"

#include <ns3/abort.h>
#include <ns3/global-value.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ns3
{

namespace
{

using PublishClock = std::chrono::steady_clock;

constexpr auto PUBLISH_INTERVAL = std::chrono::milliseconds(2);

/// A FileOrder is a SiteFile as it is told to the WAN's process.
struct FileOrder
{
    std::uint32_t from;
    std::uint32_t to;
    std::uint64_t bytes;
    std::int64_t window;
    std::int64_t stream;
    std::array<char, 100> control;
    std::optional<TcpPreset> preset;
};

} // namespace

void
WanProcess::NoHost::Receive(const PacketRecord& /*record*/)
{
}

WanProcess::WanProcess(const geotrain::WanTopology& topology,
                       const NodeNamespaces& nodes,
                       const WanProcessSettings& settings,
                       const std::string& file)
    : m_nodes(nodes),
      m_description(
          topology, std::vector<PacketElement*>(LightWan::HostCount(topology), &m_noHost), file),
      m_board(1),
      m_counters(m_description.LinkCount())
{
    NS_ABORT_MSG_IF(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, m_fileEnds.data()) != 0,
                    "no socket for the WAN: " << std::strerror(errno));
    const auto run = [&]
    {
        std::signal(SIGINT, SIG_IGN); // a Ctrl-C of the terminal ends the run, and the run the WAN
        try
        {
            CarryFrames(settings);
        }
        catch (const std::exception& error)
        {
            std::snprintf(m_board[0].error.data(), m_board[0].error.size(), "%s", error.what());
            return 1;
        }
        return 0;
    };
    m_process = geotrain::ChildProcess(run);
    SetUrgency(Urgency::Executor); // and its agents, which it starts later
    while (!m_board[0].isReady && !HasEnded())
    {
        usleep(1000);
    }
    if (!m_board[0].isReady)
    {
        throw geotrain::ConfigError(
            file, "", "", std::string("the live WAN did not start: ") + m_board[0].error.data());
    }
}

WanProcess::~WanProcess()
{
    EndAndReport();
    close(m_fileEnds[0]);
    close(m_fileEnds[1]);
}

void
WanProcess::SendFile(const Bearer::SiteFile& file)
{
    FileOrder order = {
        file.from, file.to, file.bytes, file.window.Count(), file.stream, {}, file.preset};
    file.congestionControl.copy(order.control.data(), order.control.size() - 1);
    // A WAN that has ended is noticed by its descriptor.
    static_cast<void>(send(m_fileEnds[0], &order, sizeof order, MSG_NOSIGNAL));
}

void
WanProcess::TakeFiles(SiteFiles& files) const
{
    FileOrder order;
    while (recv(m_fileEnds[1], &order, sizeof order, MSG_DONTWAIT) == ssize_t(sizeof order))
    {
        files.Send({order.from,
                    order.to,
                    order.bytes,
                    order.control.data(),
                    geotrain::Bytes::Of(order.window),
                    order.stream,
                    order.preset});
    }
}

LiveWanReport
WanProcess::EndAndReport()
{
    m_board[0].isOver = true;
    while (!HasEnded())
    {
        usleep(1000);
    }
    return Report();
}

/// Is the life of the WAN's own process.
void
WanProcess::CarryFrames(const WanProcessSettings& settings)
{
    // The caller's simulator follows the wall clock as a whole; the WAN leads its own.
    Simulator::Destroy();
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(HeapSimulatorImpl::GetTypeId().GetName()));
    const geotrain::WanTopology& topology = Topology();
    std::vector<std::unique_ptr<PacketPort>> ports;
    std::vector<PacketPort*> pointers;
    for (std::uint32_t node = 0; node < topology.NodeCount(); ++node)
    {
        ports.push_back(std::make_unique<PacketPort>(
            NodeNamespaces::PortOf(node), static_cast<std::size_t>(topology.mtu.Count()) + 14));
        pointers.push_back(ports.back().get());
    }
    Board& board = m_board[0];
    LiveWan wan(topology, pointers, board.report);
    for (const auto& [node, path] : settings.captures)
    {
        wan.Capture(node, path);
    }
    const auto observer = settings.observe ? settings.observe(wan.Links()) : nullptr;
    SiteFiles files(wan.Express());
    wan.WakeOn(m_fileEnds[1]);
    DropRights();
    board.isReady = true;
    bool schedulesHaveBegun = false;
    auto published = PublishClock::now();
    wan.Run(
        [&]
        {
            if (board.schedulesHaveBegun && !schedulesHaveBegun)
            {
                schedulesHaveBegun = true;
                wan.Links().BeginSchedules();
            }
            TakeFiles(files);
            if (PublishClock::now() - published >= PUBLISH_INTERVAL)
            {
                published = PublishClock::now();
                Publish(wan.Links());
            }
            if (board.isAsked)
            {
                CountDrops(pointers);
                board.isAsked = false;
            }
            return board.isOver.load();
        });
    CountDrops(pointers);
    Publish(wan.Links());
}

/// Reads what the kernel counts, with a system call a port and a node.
void
WanProcess::CountDrops(const std::vector<PacketPort*>& ports)
{
    LiveWanReport& report = m_board[0].report;
    for (PacketPort* port : ports)
    {
        report.ringDrops += port->TakeRingDrops();
    }
    report.kernelDrops = m_nodes.KernelDrops();
}

void
WanProcess::Publish(LightWan& links)
{
    for (std::size_t i = 0; i < links.LinkCount(); ++i)
    {
        m_counters[i] = links.CountersAt(i);
    }
}

LiveWanReport
WanProcess::Report()
{
    m_board[0].isAsked = true;
    while (m_board[0].isAsked && !HasEnded())
    {
        usleep(1000);
    }
    return m_board[0].report;
}

int
WanProcess::OpenEnd() const
{
    const pid_t process = m_process.Id();
    return process < 0 ? -1 : static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

bool
WanProcess::HasEnded()
{
    return m_process.HasEnded();
}

const geotrain::WanTopology&
WanProcess::Topology() const
{
    return m_description.Topology();
}

std::size_t
WanProcess::LinkCount() const
{
    return m_description.LinkCount();
}

const WanLink&
WanProcess::LinkAt(std::size_t number) const
{
    return m_description.LinkAt(number);
}

WanLinkCounters
WanProcess::CountersAt(std::size_t number) const
{
    return m_counters[number];
}

void
WanProcess::BeginSchedules()
{
    m_board[0].schedulesHaveBegun = true;
}

} // namespace ns3
