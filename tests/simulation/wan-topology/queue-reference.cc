// SPDX-License-Identifier: GPL-2.0-only
#include "queue-reference.h"

#include <ns3/ipv4-queue-disc-item.h>
#include <ns3/packet.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <random>

namespace ns3
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Instant;

namespace
{

constexpr std::uint32_t headerBytes = 20;

/// A DropList learns which packets are dropped.
class DropList : public PacketLedger
{
  public:
    explicit DropList(Fates& fates)
        : m_fates(fates)
    {
    }

    void Dropped(const PacketRecord& record) override
    {
        m_fates[record.offset] = 'x';
    }

    void Copied(const PacketRecord& /*record*/) override
    {
    }

  private:
    Fates& m_fates;
};

PacketRecord
RecordOf(const Arrival& arrival, std::size_t number)
{
    PacketRecord record{};
    record.flow = arrival.flow;
    record.offset = number;
    record.wireSize = static_cast<std::uint16_t>(arrival.size);
    record.flags = static_cast<std::uint8_t>((arrival.ecnCapable ? PacketRecord::EctCapable : 0) |
                                             (arrival.isEct1 ? PacketRecord::Ect1 : 0));
    return record;
}

} // namespace

DiscReference::DiscReference(Ptr<QueueDisc> disc)
    : m_disc(disc)
{
    disc->Initialize();
    disc->TraceConnectWithoutContext("Drop", MakeCallback(&DiscReference::OnDrop, this));
    disc->TraceConnectWithoutContext("Mark", MakeCallback(&DiscReference::OnMark, this));
}

Passage
DiscReference::Run(const std::vector<Arrival>& arrivals,
                   const std::function<void(const Arrival&)>& before)
{
    m_passage.fates.assign(arrivals.size(), '.');
    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        Simulator::Schedule(NanoSeconds(arrivals[i].atNs),
                            [this, i, &arrivals, &before]
                            {
                                // After a departure at the same time.
                                Simulator::ScheduleNow([this, i, &arrivals, &before]
                                                       { Arrive(i, arrivals[i], before); });
                            });
    }
    Simulator::Stop(NanoSeconds(arrivals.back().atNs + 100000000000));
    Simulator::Run();
    Simulator::Destroy();
    return m_passage;
}

void
DiscReference::Arrive(std::size_t number,
                      const Arrival& arrival,
                      const std::function<void(const Arrival&)>& before)
{
    if (before)
    {
        before(arrival);
    }
    const Ptr<Packet> packet = Create<Packet>(arrival.size - headerBytes);
    m_numbers[packet->GetUid()] = number;
    Ipv4Header header;
    header.SetSource(Ipv4Address(arrival.flow + 1));
    header.SetEcn(arrival.ecnCapable ? Ipv4Header::ECN_ECT0 : Ipv4Header::ECN_NotECT);
    m_disc->Enqueue(Create<Ipv4QueueDiscItem>(packet, Address(), 0x0800, header));
    if (!isBusy)
    {
        Serve();
    }
}

void
DiscReference::Serve()
{
    const Ptr<QueueDiscItem> item = m_disc->Dequeue();
    isBusy = item != nullptr;
    if (!isBusy)
    {
        idleSinceNs = Simulator::Now().GetNanoSeconds();
        return;
    }
    m_passage.departures.push_back(m_numbers.at(item->GetPacket()->GetUid()));
    Simulator::Schedule(NanoSeconds(item->GetSize() * byteNs), &DiscReference::Serve, this);
}

void
DiscReference::OnDrop(Ptr<const QueueDiscItem> item)
{
    m_passage.fates[m_numbers.at(item->GetPacket()->GetUid())] = 'x';
}

void
DiscReference::OnMark(Ptr<const QueueDiscItem> item, const char* /*reason*/)
{
    m_passage.fates[m_numbers.at(item->GetPacket()->GetUid())] = 'm';
}

std::vector<Arrival>
RandomArrivals(std::uint32_t seed, std::size_t packets, std::size_t span, double ecnShare)
{
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t bound)
    { return static_cast<std::uint32_t>(random() % bound); };
    std::vector<Arrival> arrivals;
    std::int64_t now = 1;
    std::uint32_t load = 0; ///< per cent
    for (std::size_t i = 0; i < packets; ++i)
    {
        if (i % span == 0)
        {
            load = 40 + below(120);
        }
        const std::uint32_t size = 64 + below(1437);
        now += size * byteNs * 2 * below(1000) / 1000 * 100 / load + 1;
        arrivals.push_back({now, size, below(1000) < static_cast<std::uint32_t>(1000 * ecnShare)});
    }
    return arrivals;
}

Fates
FatesOnLink(const LinkModel::Settings& settings, const std::vector<Arrival>& arrivals)
{
    LinkModel link(settings);
    Fates fates;
    for (const Arrival& arrival : arrivals)
    {
        const LinkModel::Outcome outcome = link.Offer(
            Instant::FromNanoseconds(arrival.atNs), Bytes::Of(arrival.size), arrival.ecnCapable);
        fates +=
            outcome.verdict == LinkModel::Verdict::QueueFull ? 'x' : (outcome.marked ? 'm' : '.');
    }
    return fates;
}

std::ptrdiff_t
Count(const Fates& fates, char fate)
{
    return std::count(fates.begin(), fates.end(), fate);
}

int
Differences(const Fates& a, const Fates& b)
{
    int differences = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        differences += a[i] == b[i] ? 0 : 1;
    }
    return differences;
}

LinkModel::Settings
Link100()
{
    LinkModel::Settings settings;
    settings.rate = BitRate::BitsPerSecond(100000000);
    settings.name = "a -> b";
    settings.mtu = Bytes::Of(1500);
    return settings;
}

Passage
PassageOf(QueueDiscipline& discipline, const std::vector<Arrival>& arrivals)
{
    Passage passage;
    passage.fates.assign(arrivals.size(), '.');
    DropList drops(passage.fates);
    discipline.Tell(&drops);
    bool isBusy = false;
    std::int64_t freeAt = 0;
    const auto serve = [&](std::int64_t now)
    {
        const auto record = discipline.Dequeue(Instant::FromNanoseconds(now));
        isBusy = record.has_value();
        if (!isBusy)
        {
            return;
        }
        passage.departures.push_back(record->offset);
        if ((record->flags & PacketRecord::CongestionExperienced) != 0)
        {
            passage.fates[record->offset] = 'm';
        }
        freeAt = now + record->wireSize * byteNs;
    };
    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        while (isBusy && freeAt <= arrivals[i].atNs)
        {
            serve(freeAt);
        }
        discipline.Enqueue(Instant::FromNanoseconds(arrivals[i].atNs), RecordOf(arrivals[i], i));
        if (!isBusy)
        {
            serve(arrivals[i].atNs);
        }
    }
    while (isBusy)
    {
        serve(freeAt);
    }
    discipline.Tell(nullptr);
    return passage;
}

} // namespace ns3
