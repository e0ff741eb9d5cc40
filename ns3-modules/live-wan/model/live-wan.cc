// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/model/live-wan.h"

#include "live-wan/model/ip-frame.h"
#include "live-wan/model/live-addresses.h"
#include "wan-topology/model/heap-simulator-impl.h"

#include <ns3/abort.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr std::size_t FRAMES_PER_READ = 128;         ///< of one port before others have their turn
constexpr std::size_t POOL_BYTES = std::size_t(1) << 31; ///< of frames on the way, at most
constexpr std::int64_t LONGEST_WAIT_NS = 10000000;
constexpr std::int64_t SHORTEST_WAIT_NS = 5000; ///< a sleep would take longer

std::int64_t
ReadClock(clockid_t clock)
{
    timespec now = {};
    clock_gettime(clock, &now);
    return std::int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

std::size_t
FrameBytesOf(const geotrain::WanTopology& topology)
{
    return static_cast<std::size_t>(topology.mtu.Count()) + IpFrame::s_ethernetBytes;
}

} // namespace

LiveWan::Host::Host(LiveWan& wan, std::uint32_t node)
    : m_wan(wan),
      m_node(node)
{
}

void
LiveWan::Host::Receive(const PacketRecord& record)
{
    m_wan.Give(m_node, record);
}

LiveWan::LiveWan(const geotrain::WanTopology& topology,
                 const std::vector<PacketPort*>& ports,
                 LiveWanReport& report,
                 const std::string& file)
    : m_ports(ports),
      m_report(report),
      m_frames(FrameBytesOf(topology), POOL_BYTES / FrameBytesOf(topology)),
      m_due(ports.size())
{
    UseHeapSimulator();
    std::vector<PacketElement*> hosts;
    for (std::uint32_t i = 0; i < LightWan::HostCount(topology); ++i)
    {
        m_hosts.push_back(std::make_unique<Host>(*this, i));
        hosts.push_back(m_hosts.back().get());
    }
    Simulator::Now(); // makes the simulator, whose time the links ask
    m_links = std::make_unique<LightWan>(topology, hosts, file, static_cast<PacketLedger*>(this));
    const auto nodes = static_cast<std::uint32_t>(ports.size());
    for (std::uint32_t source = 0; source < nodes; ++source)
    {
        for (std::uint32_t destination = 0; destination < nodes; ++destination)
        {
            m_flows.push_back(m_links->AddFlow({source, destination}));
        }
    }
    m_poll = epoll_create1(EPOLL_CLOEXEC);
    for (std::uint32_t node = 0; node < nodes; ++node)
    {
        epoll_event event = {};
        event.events = EPOLLIN;
        event.data.u32 = node;
        if (epoll_ctl(m_poll, EPOLL_CTL_ADD, ports[node]->Descriptor(), &event) != 0)
        {
            throw std::system_error(errno, std::generic_category(), "epoll");
        }
    }
    m_startNs = ReadClock(CLOCK_MONOTONIC);
}

LiveWan::~LiveWan()
{
    close(m_poll);
    Simulator::Destroy();
}

LightWan&
LiveWan::Links()
{
    return *m_links;
}

void
LiveWan::Capture(std::uint32_t node, const std::string& path)
{
    constexpr std::uint32_t ethernet = 1; // LINKTYPE_ETHERNET
    PcapFile& file = m_captures[node];
    file.Open(path, std::ios::out | std::ios::binary);
    file.Init(ethernet);
    NS_ABORT_MSG_IF(file.Fail(), "cannot write " << path);
}

std::int64_t
LiveWan::WallNs() const
{
    return ReadClock(CLOCK_MONOTONIC) - m_startNs;
}

void
LiveWan::Run(const std::function<bool()>& isOver)
{
    while (!isOver())
    {
        AwaitFrames();
        // The kernel's time stamps are of the real-time clock, which may be set while the run lasts.
        m_realtimeNs = ReadClock(CLOCK_REALTIME) - WallNs();
        for (const std::uint32_t node : m_ready)
        {
            m_ports[node]->Read(FRAMES_PER_READ,
                                [this, node](const PacketPort::Frame& frame) { Take(node, frame); });
        }
        CarryTaken();
        AdvanceTo(WallNs());
        Flush();
    }
}

/// Waits for frames, for the next event of a link, or for LONGEST_WAIT_NS.
void
LiveWan::AwaitFrames()
{
    std::array<epoll_event, 64> events;
    const std::int64_t next = HeapSimulatorImpl::InUse()->NextEventNs();
    std::int64_t waitNs = std::min(next == INT64_MAX ? LONGEST_WAIT_NS : next - WallNs(),
                                   LONGEST_WAIT_NS);
    waitNs = waitNs < SHORTEST_WAIT_NS ? 0 : waitNs;
    const timespec wait = {0, static_cast<long>(waitNs)};
    const int count =
        epoll_pwait2(m_poll, events.data(), static_cast<int>(events.size()), &wait, nullptr);
    m_ready.clear();
    for (int i = 0; i < count; ++i)
    {
        m_ready.push_back(events[static_cast<std::size_t>(i)].data.u32);
    }
}

void
LiveWan::Take(std::uint32_t node, const PacketPort::Frame& frame)
{
    const auto packet = IpFrame::Parse(frame.bytes, frame.size);
    const auto destination = packet ? LiveAddresses::NodeOf(packet->destination) : std::nullopt;
    if (!destination || *destination >= m_ports.size() || *destination == node ||
        frame.size > m_frames.FrameBytes())
    {
        ++m_report.foreign;
        return;
    }
    const auto number = m_frames.Take();
    if (!number)
    {
        ++m_report.poolDrops;
        return;
    }
    ++m_report.taken;
    std::copy_n(frame.bytes, frame.size, m_frames.BytesOf(*number));
    Taken taken = {};
    taken.atNs = frame.receivedNs - m_realtimeNs;
    taken.node = node;
    taken.record.flow = m_flows[node * m_ports.size() + *destination];
    taken.record.destination = *destination;
    taken.record.offset = *number;
    taken.record.wireSize = packet->size;
    if (packet->IsEcnCapable())
    {
        taken.record.flags = PacketRecord::EctCapable;
    }
    taken.record.kind = PacketRecord::Kind::Data;
    taken.record.protocol = packet->protocol;
    m_taken.push_back(taken);
    WritePcap(node, taken.atNs, m_frames.BytesOf(*number));
}

/// Lets the packets that were taken begin their way in the order in which the nodes sent them.
void
LiveWan::CarryTaken()
{
    std::stable_sort(m_taken.begin(),
                     m_taken.end(),
                     [](const Taken& a, const Taken& b) { return a.atNs < b.atNs; });
    for (const Taken& taken : m_taken)
    {
        AdvanceTo(taken.atNs);
        m_links->EntryFrom(taken.node).Receive(taken.record);
    }
    m_taken.clear();
}

void
LiveWan::AdvanceTo(std::int64_t ns)
{
    HeapSimulatorImpl& simulator = *HeapSimulatorImpl::InUse();
    simulator.RunUntil(std::max(ns, simulator.NowNs()));
}

void
LiveWan::Give(std::uint32_t node, const PacketRecord& record)
{
    const auto frame = static_cast<FramePool::FrameNumber>(record.offset);
    std::uint8_t* bytes = m_frames.BytesOf(frame);
    if ((record.flags & PacketRecord::CongestionExperienced) != 0)
    {
        IpFrame::MarkCongestion(bytes);
    }
    IpFrame::Address(bytes, LiveAddresses::EthernetOf(node));
    if (m_due[node].empty())
    {
        m_dueNodes.push_back(node);
    }
    m_due[node].push_back({NowNs(), frame});
    m_ports[node]->Append(bytes, record.wireSize + IpFrame::s_ethernetBytes);
}

void
LiveWan::Flush()
{
    for (const std::uint32_t node : m_dueNodes)
    {
        Flush(node);
    }
    m_dueNodes.clear();
}

void
LiveWan::Flush(std::uint32_t node)
{
    m_report.refused += m_ports[node]->Flush();
    const std::int64_t now = WallNs();
    for (const Due& due : m_due[node])
    {
        m_report.lateness.Add(now - due.dueNs);
        WritePcap(node, now, m_frames.BytesOf(due.frame));
        m_frames.Release(due.frame);
    }
    m_report.given += m_due[node].size();
    m_due[node].clear();
}

void
LiveWan::WritePcap(std::uint32_t node, std::int64_t atNs, const std::uint8_t* bytes)
{
    const auto capture = m_captures.find(node);
    if (capture == m_captures.end())
    {
        return;
    }
    const std::int64_t at = atNs + m_realtimeNs;
    const auto size = static_cast<std::uint32_t>(IpFrame::SizeOf(bytes) + IpFrame::s_ethernetBytes);
    capture->second.Write(static_cast<std::uint32_t>(at / 1000000000),
                          static_cast<std::uint32_t>(at % 1000000000 / 1000),
                          bytes,
                          size);
}

void
LiveWan::Dropped(const PacketRecord& record)
{
    m_frames.Release(static_cast<FramePool::FrameNumber>(record.offset));
}

void
LiveWan::Copied(const PacketRecord& record)
{
    m_frames.AddReference(static_cast<FramePool::FrameNumber>(record.offset));
}

} // namespace ns3
