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
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr std::size_t FRAMES_PER_READ = 1024; ///< of one port before others have their turn
constexpr std::size_t POOL_BYTES = std::size_t(1) << 31; ///< of frames on the way, at most
constexpr std::int64_t LONGEST_WAIT_NS = 10000000;
constexpr std::int64_t WAKE_INTERVAL_NS = 50000; ///< what is due within it leaves together
constexpr std::uint32_t NO_PORT = UINT32_MAX;    ///< in the place of a node
constexpr std::int64_t WORK_PER_REST = 8;        ///< at most 8/9 of a core

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

/// Returns how many classes of traffic there are: without any, all is of one.
std::size_t
CountClasses(const geotrain::WanTopology& topology)
{
    return std::max<std::size_t>(1, topology.classes.size());
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
    for (std::uint32_t i = 0; i < topology.NodeCount(); ++i)
    {
        m_hosts.push_back(std::make_unique<Host>(*this, i));
        hosts.push_back(m_hosts.back().get());
    }
    Simulator::Now(); // makes the simulator, whose time the links ask
    m_links = std::make_unique<ExpressWan>(topology, file, hosts, static_cast<PacketLedger*>(this));
    const auto nodes = static_cast<std::uint32_t>(ports.size());
    for (std::uint32_t source = 0; source < nodes; ++source)
    {
        for (std::uint32_t destination = 0; destination < nodes; ++destination)
        {
            for (std::uint32_t ofClass = 0; ofClass < CountClasses(topology); ++ofClass)
            {
                m_flows.push_back(Links().AddFlow({source, destination, ofClass}));
            }
        }
    }
    prctl(PR_SET_TIMERSLACK, 1); // of an ordinary process, which else wakes up to 0.05 ms late
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
    return m_links->Links();
}

ExpressWan&
LiveWan::Express()
{
    return *m_links;
}

void
LiveWan::WakeOn(int descriptor)
{
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.u32 = NO_PORT;
    epoll_ctl(m_poll, EPOLL_CTL_ADD, descriptor, &event);
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
        Rest();
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

/// Sleeps for a ninth of the time or more, whatever comes. A loop that is always ready to run would
/// wake for each packet, and the kernel halts a real-time process that has had 95 % of a second of a
/// core for the rest of that second, 50 ms (sched_rt_runtime_us, sched(7)).
void
LiveWan::Rest()
{
    const std::int64_t now = WallNs();
    const std::int64_t restNs = (now - m_wokeNs) / WORK_PER_REST;
    const std::int64_t until = m_startNs + std::max(m_wokeNs + WAKE_INTERVAL_NS, now + restNs);
    const timespec wake = {until / 1000000000, until % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
}

/// Waits for frames, for the next event of a link, or for LONGEST_WAIT_NS.
void
LiveWan::AwaitFrames()
{
    std::array<epoll_event, 64> events;
    const std::int64_t next = HeapSimulatorImpl::InUse()->NextEventNs();
    const std::int64_t untilNext = next == INT64_MAX ? LONGEST_WAIT_NS : next - WallNs();
    const std::int64_t waitNs = std::clamp<std::int64_t>(untilNext, 0, LONGEST_WAIT_NS);
    const timespec wait = {0, static_cast<long>(waitNs)};
    const int count =
        epoll_pwait2(m_poll, events.data(), static_cast<int>(events.size()), &wait, nullptr);
    m_wokeNs = WallNs();
    m_ready.clear();
    for (int i = 0; i < count; ++i)
    {
        if (const std::uint32_t node = events[static_cast<std::size_t>(i)].data.u32; node != NO_PORT)
        {
            m_ready.push_back(node);
        }
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
    taken.record.flow = FlowOf(node, *destination, packet->dscp);
    taken.record.destination = *destination;
    taken.record.offset = *number;
    taken.record.wireSize = packet->size;
    if (packet->IsEcnCapable())
    {
        taken.record.flags = static_cast<std::uint8_t>(
            PacketRecord::EctCapable | (packet->IsEct1() ? PacketRecord::Ect1 : 0));
    }
    taken.record.kind = PacketRecord::Kind::Data;
    taken.record.protocol = packet->protocol;
    taken.record.dscp = packet->dscp;
    m_taken.push_back(taken);
    WritePcap(node, taken.atNs, m_frames.BytesOf(*number));
}

FlowNumber
LiveWan::FlowOf(std::uint32_t source, std::uint32_t destination, std::uint8_t dscp) const
{
    const geotrain::WanTopology& topology = m_links->Links().Topology();
    const std::size_t pair = source * m_ports.size() + destination;
    return m_flows[pair * CountClasses(topology) + geotrain::ClassOfMark(dscp, topology.classes)];
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
        Links().EntryFrom(taken.node).Receive(taken.record);
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
    m_report.processorNs = ReadClock(CLOCK_PROCESS_CPUTIME_ID);
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
    if (IsOfFrame(record))
    {
        m_frames.Release(static_cast<FramePool::FrameNumber>(record.offset));
    }
}

void
LiveWan::Copied(const PacketRecord& record)
{
    if (IsOfFrame(record))
    {
        m_frames.AddReference(static_cast<FramePool::FrameNumber>(record.offset));
    }
}

/// Packets between routers, which have later flows, are simulated.
bool
LiveWan::IsOfFrame(const PacketRecord& record) const
{
    return record.flow < m_flows.size();
}

} // namespace ns3
