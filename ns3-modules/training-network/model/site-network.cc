// SPDX-License-Identifier: GPL-2.0-only
// A piece that enters a queue leaves it as its packets would, one after another, so that the next queue
// begins with its first packet and not with its last.
#include "training-network/model/site-network.h"

#include "training-network/model/training-network.h"
#include "wan/resources.h"

#include <algorithm>

#include <ns3/abort.h>
#include <ns3/simulator.h>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;
using geotrain::NodeIndex;

namespace
{

constexpr std::int64_t headerBytes = 52; // IPv4, TCP and timestamps

// A message goes in pieces of this share of it, so that what shares a NIC with it waits for a piece and not
// for the message. Pieces are at least this large, or this long on the NIC: 64 kB at 100 Gbit/s.
constexpr std::int64_t piecesPerMessage = 32;
constexpr std::int64_t leastPiece = 64000;
constexpr auto leastTime = Duration::Nanoseconds(5120);
constexpr std::int64_t largestPiece = 4000000;

/// Returns the time of the links, which began before that of the run.
Instant
TimeOfLinks()
{
    return Instant::FromNanoseconds(Simulator::Now().GetNanoSeconds());
}

} // namespace

SiteNetwork::SiteNetwork(geotrain::Clock& clock,
                         WanLinks& links,
                         const SiteConnections& connections)
    : m_clock(clock),
      m_links(links),
      m_connections(connections)
{
}

SiteNetwork::~SiteNetwork() = default;

const geotrain::NetworkKind&
SiteNetwork::Kind() const
{
    return TrainingNetwork::StaticKind();
}

geotrain::Clock&
SiteNetwork::GetClock()
{
    return m_clock;
}

std::uint32_t
SiteNetwork::ConnectionsBetween(NodeIndex /*source*/, NodeIndex /*destination*/) const
{
    return m_connections.count;
}

bool
SiteNetwork::SpreadsMessages(NodeIndex /*source*/, NodeIndex /*destination*/) const
{
    return true;
}

void
SiteNetwork::Prepare(const std::vector<WarmUp>& /*pairs*/)
{
}

geotrain::NetworkCounters
SiteNetwork::Counters() const
{
    return m_counters;
}

/// Adds the queues of a node: before its NIC, or before the port to it, stands what shapes its rate
/// inside the data centre.
void
SiteNetwork::AddSite(std::uint32_t node, bool isSource, std::vector<LinkModel*>& way)
{
    const geotrain::WanTopology& wan = m_links.Topology();
    const std::uint32_t site = wan.SiteOf(node);
    const geotrain::NodeLimits limits =
        isSource ? geotrain::EgressLimits(wan, site) : geotrain::IngressLimits(wan, site);
    if (limits.intra < limits.nic)
    {
        auto& shaper = m_shapers[{node, isSource}];
        if (!shaper)
        {
            LinkModel::Settings settings;
            settings.rate = limits.intra;
            shaper = std::make_unique<LinkModel>(settings);
        }
        way.push_back(shaper.get());
    }
    LinkModel* const nic = m_links.NicQueue(node, isSource);
    NS_ABORT_MSG_UNLESS(nic != nullptr, "messages by formula need NICs whose queues can be shared");
    way.push_back(nic);
}

SiteNetwork::Pair&
SiteNetwork::PairOf(NodeIndex source, NodeIndex destination)
{
    auto& pair = m_pairs[{source, destination}];
    if (!pair)
    {
        pair = std::make_unique<Pair>();
        AddSite(source, true, pair->way);
        AddSite(destination, false, pair->way);
        pair->backUp = m_links.NicQueue(destination, true);
        pair->backDown = m_links.NicQueue(source, false);
        pair->window = m_connections.window;
        m_sharing[{destination, false}].push_back(pair.get());
        if (m_shapers.count({source, true}) > 0)
        {
            m_sharing[{source, true}].push_back(pair.get());
        }
    }
    return *pair;
}

Bytes
SiteNetwork::WireOf(Bytes payload) const
{
    const std::int64_t segment = m_links.Topology().mtu.Count() - headerBytes;
    const std::int64_t packets = (payload.Count() + segment - 1) / segment;
    return payload + Bytes::Of(packets * headerBytes);
}

geotrain::TransferNumber
SiteNetwork::Transfer(const geotrain::TransferRequest& request, geotrain::TransferCallback callback)
{
    Pair& pair = PairOf(request.source, request.destination);
    Message message;
    message.number = ++m_lastTransfer;
    message.callback = std::move(callback);
    message.size = request.size;
    const auto rate =
        static_cast<double>(pair.way.front()->GetSettings().rate.ToBitsPerSecond());
    const auto inLeastTime = static_cast<std::int64_t>(rate / 8 * leastTime.ToSeconds());
    message.piece = Bytes::Of(std::clamp(request.size.Count() / piecesPerMessage,
                                         std::clamp(inLeastTime, leastPiece, largestPiece),
                                         largestPiece));
    pair.messages.push_back(std::move(message));
    pair.waiting += request.size;
    // One sender is no faster than the port, but than what shapes its own rate.
    if (MayFill(m_sharing[{request.destination, false}], 2) ||
        MayFill(m_sharing[{request.source, true}], 1))
    {
        m_counters.withoutRoom += request.size;
    }
    // Callbacks come after this returns.
    m_clock.Schedule(m_clock.Now(), [this, &pair] { Pump(pair); });
    return m_lastTransfer;
}

/// Returns whether at least `least` pairs have data under way, and their windows hold more than a queue.
bool
SiteNetwork::MayFill(const std::vector<const Pair*>& pairs, int least) const
{
    int sending = 0;
    Bytes inFlight;
    for (const Pair* pair : pairs)
    {
        sending += pair->waiting > Bytes() ? 1 : 0;
        inFlight += std::min(pair->waiting, m_connections.window);
    }
    return sending >= least && inFlight > m_links.Topology().portQueue;
}

void
SiteNetwork::Cancel(geotrain::TransferNumber transfer)
{
    m_cancelled.insert(transfer);
}

/// Gives the NIC what the windows let.
void
SiteNetwork::Pump(Pair& pair)
{
    if (pair.inFlight == Bytes())
    {
        RestartAfterIdle(pair);
    }
    while (pair.sending < pair.messages.size())
    {
        Message& message = pair.messages[pair.sending];
        // A quarter of the windows keeps the NIC busy while the first pieces are acknowledged.
        const Bytes quarter = Bytes::Of(std::max<std::int64_t>(1, pair.window.Count() / 4));
        const Bytes payload = std::min({message.piece, quarter, message.size - message.given});
        if (pair.inFlight > Bytes() && pair.inFlight + payload > pair.window)
        {
            pair.isLimited = true;
            return;
        }
        if (pair.paced > m_clock.Now())
        {
            WaitForPacing(pair);
            return;
        }
        pair.lastSent = m_clock.Now();
        pair.paced = m_clock.Now() + PacingTime(pair, WireOf(payload));
        Piece piece;
        piece.pair = &pair;
        piece.payload = payload;
        piece.wire = WireOf(payload);
        piece.begins = message.given == Bytes() ? message.number : 0;
        pair.inFlight += payload;
        message.given += payload;
        Enter(piece);
        if (message.given == message.size)
        {
            ++pair.sending;
            const auto callback = message.callback; // which may add to the queue
            TellOf(message.number, callback, Tell::Sent);
        }
    }
}

/// Windows that fill the NIC are its rate times their round trip, so that pacing is at a factor of its rate.
Duration
SiteNetwork::PacingTime(const Pair& pair, Bytes wire) const
{
    if (m_connections.pacing == 0)
    {
        return Duration();
    }
    const Duration atNic = pair.way.front()->GetSettings().rate.TransmissionTime(wire);
    return Duration::Seconds(atNic.ToSeconds() / m_connections.pacing);
}

void
SiteNetwork::WaitForPacing(Pair& pair)
{
    if (!pair.isWaiting)
    {
        pair.isWaiting = true;
        m_clock.Schedule(pair.paced,
                         [this, &pair]
                         {
                             pair.isWaiting = false;
                             Pump(pair);
                         });
    }
}

/// Enters the piece's next queue at the time of its first packet there.
void
SiteNetwork::Enter(Piece piece)
{
    LinkModel& queue = *piece.pair->way[piece.queue];
    const LinkModel::Settings& settings = queue.GetSettings();
    const Duration packet =
        settings.rate.TransmissionTime(std::min(piece.wire, m_links.Topology().mtu));
    const Instant departure = queue.Carry(TimeOfLinks(), piece.wire);
    const Instant first = departure - settings.rate.TransmissionTime(piece.wire) + packet;
    piece.arrival = std::max(departure, piece.arrival + packet) + settings.delay;
    ++piece.queue;
    const Duration ahead = TimeOfLinks() - m_clock.Now();
    const bool isThere = piece.queue == piece.pair->way.size();
    if (isThere && piece.begins > 0)
    {
        m_clock.Schedule(std::min(first + settings.delay, piece.arrival) - ahead,
                         [this, piece] { TellFirstByte(*piece.pair, piece.begins); });
    }
    m_clock.Schedule((isThere ? piece.arrival : first + settings.delay) - ahead,
                     [this, piece, isThere]
                     {
                         if (isThere)
                         {
                             Arrive(piece);
                         }
                         else
                         {
                             Enter(piece);
                         }
                     });
}

void
SiteNetwork::Arrive(const Piece& piece)
{
    Pair& pair = *piece.pair;
    Acknowledge(pair, piece);
    Message& message = pair.messages.front();
    message.arrived += piece.payload;
    pair.waiting = pair.waiting - piece.payload;
    if (message.arrived == message.size)
    {
        m_counters.intraDcPayload += message.size;
        const Message whole = std::move(message);
        pair.messages.pop_front();
        --pair.sending;
        TellOf(whole.number, whole.callback, Tell::Delivered);
        m_cancelled.erase(whole.number);
    }
}

/// Every second segment is acknowledged, over the NICs of the way back, behind their data.
void
SiteNetwork::Acknowledge(Pair& pair, const Piece& piece)
{
    const Bytes headers = piece.wire - piece.payload;
    const Bytes size = Bytes::Of((headers.Count() / headerBytes + 1) / 2 * headerBytes);
    m_clock.Schedule(ArrivalBehind(*pair.backUp, size),
                     [this, &pair, size, payload = piece.payload]
                     {
                         m_clock.Schedule(ArrivalBehind(*pair.backDown, size),
                                          [this, &pair, payload]
                                          { OnAcknowledgement(pair, payload); });
                     });
}

/// Puts `size` into the queue, and returns when it comes out, in the run's time.
Instant
SiteNetwork::ArrivalBehind(LinkModel& queue, Bytes size)
{
    const Duration ahead = TimeOfLinks() - m_clock.Now();
    return queue.Carry(TimeOfLinks(), size) + queue.GetSettings().delay - ahead;
}

/// Opens the windows by what was acknowledged while they were full: slow start (RFC 5681).
void
SiteNetwork::OnAcknowledgement(Pair& pair, Bytes payload)
{
    pair.inFlight = pair.inFlight - payload;
    if (pair.isLimited)
    {
        pair.window = std::min(pair.window + payload, m_connections.window);
        pair.isLimited = false;
    }
    Pump(pair);
}

/// Halves the windows for each timeout that has passed in idleness, down to the initial ones (RFC 2861).
void
SiteNetwork::RestartAfterIdle(Pair& pair) const
{
    if (m_connections.timeout == Duration())
    {
        return;
    }
    constexpr std::int64_t mostHalvings = 62; // of 63 bits
    const std::int64_t periods = std::min(
        mostHalvings,
        (m_clock.Now() - pair.lastSent).ToNanoseconds() / m_connections.timeout.ToNanoseconds());
    pair.window = std::max(Bytes::Of(pair.window.Count() >> periods),
                           std::min(pair.window, m_connections.initialWindow));
}

void
SiteNetwork::TellFirstByte(const Pair& pair, geotrain::TransferNumber number)
{
    const auto message =
        std::find_if(pair.messages.begin(),
                     pair.messages.end(),
                     [number](const Message& other) { return other.number == number; });
    if (message != pair.messages.end())
    {
        const auto callback = message->callback; // which may add to the queue
        TellOf(number, callback, Tell::FirstByte);
    }
}

void
SiteNetwork::TellOf(geotrain::TransferNumber number,
                    const geotrain::TransferCallback& callback,
                    Tell kind)
{
    if (m_cancelled.count(number) == 0)
    {
        callback({kind, number, m_clock.Now(), {}});
    }
}

} // namespace ns3
