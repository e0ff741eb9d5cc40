// SPDX-License-Identifier: GPL-2.0-only
#include "bbr3-case-path.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr double nsPerMs = 1e6;
constexpr double feedPeriodMs = 1;
constexpr double feedAheadMs = 4; ///< of the path's rate, which waits to be sent
constexpr std::uint64_t feedAheadLeast = 64 * Bbr3Case::s_segment;

double
NowNsOf()
{
    return static_cast<double>(Simulator::Now().GetNanoSeconds());
}

Time
NsOf(double ns)
{
    return NanoSeconds(static_cast<std::uint64_t>(std::max(ns, 0.0)));
}

} // namespace

CaseBottleneck::CaseBottleneck(double rate, double buffer, PacketElement& next)
    : mbps(rate),
      bufferMs(buffer),
      m_next(next)
{
}

double
CaseBottleneck::BacklogMs() const
{
    return static_cast<double>(m_queuedBytes) * 8e-3 / mbps;
}

void
CaseBottleneck::Receive(const PacketRecord& record)
{
    const auto size = geotrain::Bytes::Of(record.wireSize);
    const auto now = geotrain::Instant::FromNanoseconds(Simulator::Now().GetNanoSeconds());
    const bool isPoliced = policer && !policer->Conforms(now, size);
    if ((drops && drops(record)) || isPoliced || BacklogMs() > bufferMs)
    {
        ++dropped;
        return;
    }
    if (policer)
    {
        policer->Take(size);
    }
    m_queue.push_back(record);
    m_queuedBytes += record.wireSize;
    if (m_queue.size() == 1)
    {
        ServeNext();
    }
}

void
CaseBottleneck::ServeNext()
{
    Simulator::Schedule(NsOf(m_queue.front().wireSize * 8e3 / mbps),
                        [this]
                        {
                            const PacketRecord record = m_queue.front();
                            m_queue.pop_front();
                            m_queuedBytes -= record.wireSize;
                            Release(record);
                            if (!m_queue.empty())
                            {
                                ServeNext();
                            }
                        });
}

void
CaseBottleneck::Release(const PacketRecord& record)
{
    ++passed;
    double leaves = NowNsOf() + (delayMs ? std::round(delayMs(record) * nsPerMs) : 0);
    if (slotMs > 0)
    {
        leaves = std::ceil(leaves / (slotMs * nsPerMs)) * slotMs * nsPerMs;
    }
    PacketElement& next = m_next;
    Simulator::Schedule(NsOf(leaves - NowNsOf()), [&next, record] { next.Receive(record); });
}

void
WatchedBbr3::CongControl(Ptr<TcpSocketState> tcb,
                         const TcpRateOps::TcpRateConnection& connection,
                         const TcpRateOps::TcpRateSample& sample)
{
    TcpBbr3::CongControl(tcb, connection, sample);
    if (afterAck)
    {
        afterAck();
    }
}

Bbr3Case::Bbr3Case(const Path& path, std::int64_t stream)
{
    LinkModel::Settings link; // the delay, at a rate that holds nothing up
    link.rate = geotrain::BitRate::BitsPerSecond(100000000000);
    link.delay = geotrain::Duration::Microseconds(std::llround(path.rttMs * 500));
    link.name = "case";
    m_path.AddLink(link);
    m_path.PutBeforeForward(
        [&](PacketElement& next)
        {
            auto made = std::make_unique<CaseBottleneck>(path.mbps, path.bufferMs, next);
            m_bottleneck = made.get();
            return made;
        });
    m_path.Build();
    m_control->SetStream(stream);
    m_control->afterAck = [this] { AfterAck(); };
    m_path.AddFlow(BulkTcpOptions(), m_control);
    m_path.Sender(0).Connect();
    Simulator::ScheduleNow([this] { Feed(); });
}

Bbr3Case::~Bbr3Case()
{
    Simulator::Destroy();
}

void
Bbr3Case::FeedAll()
{
    m_feedsAll = true;
}

void
Bbr3Case::FeedAt(double mbps)
{
    m_feedsAll = false;
    m_feedMbps = mbps;
}

void
Bbr3Case::FeedNothing()
{
    FeedAt(0);
}

void
Bbr3Case::Append(std::uint64_t bytes)
{
    m_appended += bytes;
    m_path.Sender(0).Append(bytes);
}

void
Bbr3Case::Feed()
{
    const std::uint64_t waiting = m_appended - std::min(m_appended, Sender().HighTx());
    const auto ahead = std::max(feedAheadLeast,
                                static_cast<std::uint64_t>(m_bottleneck->mbps * 125 * feedAheadMs));
    if (m_feedsAll && waiting < ahead)
    {
        Append(ahead);
    }
    m_owed += m_feedsAll ? 0 : m_feedMbps * 125 * feedPeriodMs;
    if (m_owed >= s_segment)
    {
        const auto bytes = static_cast<std::uint64_t>(m_owed);
        m_owed -= static_cast<double>(bytes);
        Append(bytes);
    }
    Simulator::Schedule(NsOf(feedPeriodMs * nsPerMs), [this] { Feed(); });
}

void
Bbr3Case::AfterAck()
{
    const Phase phase = m_control->GetPhase().Get();
    if (phase != m_phase)
    {
        transitions.push_back({NowS(), m_phase, phase});
        m_phase = phase;
    }
    if (m_look)
    {
        m_look();
    }
    if (m_isTrue && m_isTrue())
    {
        m_found = true;
        m_isTrue = nullptr;
        Simulator::Stop();
    }
}

bool
Bbr3Case::RunUntil(const std::function<bool()>& isTrue, double seconds)
{
    m_isTrue = isTrue;
    m_found = false;
    const EventId limit = Simulator::Schedule(NsOf(seconds * 1e9), [] { Simulator::Stop(); });
    Simulator::Run();
    Simulator::Cancel(limit);
    m_isTrue = nullptr;
    return m_found;
}

bool
Bbr3Case::RunUntil(Phase phase, double seconds)
{
    return RunUntil([&] { return m_control->GetPhase().Get() == phase; }, seconds);
}

bool
Bbr3Case::RunUntilLeaves(Phase from, double seconds)
{
    return RunUntil([&] { return m_control->GetPhase().Get() != from; }, seconds);
}

void
Bbr3Case::RunFor(double seconds)
{
    RunUntil([] { return false; }, seconds);
}

void
Bbr3Case::Watch(const std::function<void()>& look)
{
    m_look = look;
}

CaseBottleneck&
Bbr3Case::Bottleneck()
{
    return *m_bottleneck;
}

const TcpBbr3&
Bbr3Case::Control() const
{
    return *m_control;
}

const TcpSocketState&
Bbr3Case::State() const
{
    return *Sender().State();
}

const BulkSender&
Bbr3Case::Sender() const
{
    return const_cast<ExpressPathHelper&>(m_path).Sender(0);
}

double
Bbr3Case::NowS() const
{
    return NowNsOf() / 1e9;
}

bool
Bbr3Case::HasBeenIn(Phase phase, double sinceS) const
{
    return std::any_of(transitions.begin(),
                       transitions.end(),
                       [&](const Transition& t) { return t.to == phase && t.seconds >= sinceS; });
}

double
Bbr3Case::Capacity() const
{
    return m_bottleneck->mbps * 1e6 * s_payload;
}

double
Bbr3Case::ReceivedBits() const
{
    return 8 * static_cast<double>(m_path.Receiver(0).GetCounters().inOrderBytes);
}

std::uint64_t
Bbr3Case::Inflight() const
{
    const Bbr3PathModel& model = m_control->Model();
    return Bbr3Control::Inflight(State(), model, model.Bandwidth());
}

std::uint64_t
Bbr3Case::Headroom() const
{
    return Bbr3Control::InflightWithHeadroom(State(), m_control->Model());
}

std::uint64_t
Bbr3Case::Bdp() const
{
    const Bbr3PathModel& model = m_control->Model();
    return Bbr3Control::BdpMultiple(State(), model, model.Bandwidth(), 1);
}

} // namespace ns3
