#include "analytic/windowed-pair.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

// Segments that a receiver waits for (RFC 5681, section 4.2).
constexpr std::int64_t segmentsToAcknowledge = 2;

// For which bulk-tcp's receiver holds an acknowledgement at most.
constexpr Duration longestHeld = Duration::Milliseconds(40);

// More connections than these go in lanes, of which there are at least so many, in trains up to so many times as long: what a search
// over plans can afford. Its error against packets is in the README.
constexpr std::uint32_t mostSingle = 32;
constexpr std::uint32_t leastLanes = 4;
constexpr double coarsenessOfLanes = 4;

// That a window is at least, for a connection that is sent no chunks.
constexpr std::int64_t trainsOfWindow = 8;

// What leaves, or is acknowledged, within so small a part of a round trip does so at once.
constexpr std::int64_t momentsOfRoundTrip = 3000;

} // namespace

WindowedPair::WindowedPair(const Settings& settings)
    : m_settings(settings)
{
    const std::uint32_t connections = settings.connections;
    m_membersOfLane = connections > mostSingle ? connections / leastLanes : 1;
    CongestionWindow::Settings window = settings.window;
    window.coarseness = m_membersOfLane > 1 ? coarsenessOfLanes : 1;
    m_lanes.resize((connections + m_membersOfLane - 1) / m_membersOfLane);
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane)
    {
        m_lanes[lane].members = std::min(m_membersOfLane, connections - lane * m_membersOfLane);
        m_lanes[lane].window = CongestionWindow::Make(window);
        m_lanes[lane].isOdd = true; // a SYN counts
        m_freeLanes.push_back(lane);
    }
    if (settings.window.isBulkTcp)
    {
        m_moment = Duration::Nanoseconds((settings.delay + settings.returnDelay).ToNanoseconds() /
                                         momentsOfRoundTrip);
    }
    m_largestTrain = std::max(
        {std::int64_t{1},
         segmentsToAcknowledge * settings.window.segment,
         settings.window.limit / trainsOfWindow,
         static_cast<std::int64_t>(settings.rate * static_cast<double>(m_moment.ToNanoseconds()))});
}

bool
WindowedPair::HasWindows() const
{
    return m_settings.window.limit > 0;
}

std::uint32_t
WindowedPair::NewMessage(std::uint32_t number, std::int64_t bytes)
{
    if (m_freeMessages.empty())
    {
        m_freeMessages.push_back(static_cast<std::uint32_t>(m_messages.size()));
        m_messages.emplace_back();
    }
    const std::uint32_t message = m_freeMessages.back();
    m_freeMessages.pop_back();
    m_messages[message] = {number, bytes, false};
    return message;
}

void
WindowedPair::Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t chunks)
{
    if (!HasWindows())
    {
        Queue(message, bytes, 0);
        return;
    }
    // One connection takes each of the chunks after the other.
    const bool takesAll = m_lanes.size() == 1 && !m_settings.window.isBulkTcp;
    const std::int64_t parts = takesAll ? 1 : chunks;
    const std::int64_t withHeaders = bytes + chunks * m_settings.header;
    m_arrived.push_back({NewMessage(message, withHeaders), withHeaders, parts});
}

void
WindowedPair::Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t connection)
{
    QueuePiece(message, bytes, connection / m_membersOfLane, 1);
}

std::uint32_t
WindowedPair::Lanes() const
{
    return static_cast<std::uint32_t>(m_lanes.size());
}

std::uint32_t
WindowedPair::MembersOf(std::uint32_t lane) const
{
    return m_lanes[lane].members;
}

void
WindowedPair::QueueForLane(std::uint32_t message, std::int64_t bytes, std::uint32_t lane)
{
    QueuePiece(message, bytes, lane, m_lanes[lane].members);
}

void
WindowedPair::QueuePiece(std::uint32_t message,
                         std::int64_t bytes,
                         std::uint32_t lane,
                         std::uint32_t members)
{
    const std::int64_t withHeaders = bytes + members * m_settings.header;
    Push(lane, {NewMessage(message, withHeaders), withHeaders, members, false});
    m_toSend.push_back(lane);
}

void
WindowedPair::Advance(Instant now)
{
    Serve(now);
    AcknowledgeDue();
    SendForAcknowledgements();
    m_answer = {now, now, 0, 0};
    EndPauses();
    for (const std::uint32_t lane : std::exchange(m_toSend, {}))
    {
        Send(lane);
    }
    m_waiting.insert(m_waiting.end(), m_arrived.begin(), m_arrived.end());
    m_arrived.clear();
    GiveChunks();
}

void
WindowedPair::TakeEvents(std::vector<Event>& events)
{
    events.clear();
    events.swap(m_events);
}

void
WindowedPair::SetRate(Instant now, double bytesPerNanosecond)
{
    Serve(now);
    m_rate = bytesPerNanosecond;
    PredictAcknowledgements(m_now);
}

Instant
WindowedPair::NextEvent() const
{
    if (!m_events.empty())
    {
        return m_now;
    }
    Instant next = Instant::Never();
    if (!m_queue.Empty())
    {
        next = After((m_marks.Empty() ? m_queued : m_marks.Front()) - Served());
    }
    if (m_unsentPieces == 0)
    {
        return next;
    }
    if (!m_paced.empty())
    {
        next = std::min(next, m_paced.top().first);
    }
    if (!m_unacknowledged.Empty())
    {
        const Instant acknowledged = Arrival(m_unacknowledged.Front().times.firstAcknowledged);
        return std::min(next, std::max(m_now + Duration::Nanoseconds(1), acknowledged));
    }
    if (!m_queue.Empty())
    {
        const auto bytes = static_cast<double>(m_queue.Front().bytes);
        next = std::min(next, After(bytes - m_servedOfFirst));
    }
    return next;
}

bool
WindowedPair::HasQueue() const
{
    return !m_queue.Empty();
}

Duration
WindowedPair::LongestHold() const
{
    const bool holds =
        std::any_of(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) { return lane.held > 0; });
    return holds ? longestHeld : Duration();
}

void
WindowedPair::SetReverse(WindowedPair& reverse)
{
    m_reverse = &reverse;
}

void
WindowedPair::TakeWindows(WindowedPair& other, Duration by)
{
    while (!other.m_unacknowledged.Empty())
    {
        other.Acknowledge(other.m_unacknowledged.Front());
    }
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
    {
        m_lanes[lane].window = std::move(other.m_lanes[lane].window);
        m_lanes[lane].window->MoveBack(by);
        m_lanes[lane].sent = other.m_lanes[lane].sent;
        m_lanes[lane].isOdd = other.m_lanes[lane].sent == 0;
        m_lanes[lane].lastSent = other.m_lanes[lane].lastSent - by;
    }
}

/// That a connection takes one after another. Of lanes several, as long as there are more for each.
std::int64_t
WindowedPair::ChunksAtOnce(std::int64_t left) const
{
    const std::int64_t all = m_settings.connections;
    return m_membersOfLane > 1 ? std::max<std::int64_t>(1, left / (2 * all)) : 1;
}

void
WindowedPair::Push(std::uint32_t index, const Piece& piece)
{
    Lane& lane = m_lanes[index];
    lane.pieces.PushBack(piece);
    lane.chosen += piece.members;
    ++m_unsentPieces;
    if (piece.isStriped)
    {
        lane.taken += piece.members;
        if (lane.taken == lane.members)
        {
            lane.isFree = false;
            m_freeLanes.pop_front();
        }
    }
}

/// The oldest piece, which has been sent.
void
WindowedPair::Pop(std::uint32_t index)
{
    Lane& lane = m_lanes[index];
    const Piece piece = lane.pieces.PopFront();
    lane.chosen -= piece.members;
    --m_unsentPieces;
    if (piece.isStriped)
    {
        lane.taken -= piece.members;
        if (!std::exchange(lane.isFree, true))
        {
            m_freeLanes.push_back(index);
        }
    }
}

/// Members that have something to send.
std::int64_t
WindowedPair::Senders(const Lane& lane)
{
    return std::min(lane.members, lane.chosen);
}

void
WindowedPair::GiveChunks()
{
    while (!m_waiting.empty() && !m_freeLanes.empty())
    {
        StripedMessage& striped = m_waiting.front();
        const std::uint32_t lane = m_freeLanes.front();
        const std::int64_t free = m_lanes[lane].members - m_lanes[lane].taken;
        const std::int64_t members = std::min(free, striped.chunks);
        const std::int64_t chunks = members * ChunksAtOnce(striped.chunks);
        const std::int64_t largest = (striped.bytes + striped.chunks - 1) / striped.chunks;
        const std::int64_t bytes = std::min(striped.bytes, chunks * largest);
        const std::uint32_t message = striped.message;
        striped.bytes -= bytes;
        striped.chunks -= chunks;
        if (striped.bytes == 0)
        {
            m_waiting.pop_front();
        }
        Push(lane, {message, bytes, static_cast<std::uint32_t>(members), true});
        Send(lane);
    }
}

/// Acknowledgements that have come, and those that come at the same moment.
void
WindowedPair::AcknowledgeDue()
{
    Instant until = m_now;
    while (!m_unacknowledged.Empty() &&
           Arrival(m_unacknowledged.Front().times.firstAcknowledged) <= until)
    {
        until = m_now + m_moment;
        Acknowledge(m_unacknowledged.Front());
    }
}

/// All of the oldest train.
void
WindowedPair::Acknowledge(Train train)
{
    m_unacknowledged.PopFront();
    m_firstIsAcknowledged = m_firstIsAcknowledged || (m_unacknowledged.Empty() && !m_queue.Empty());
    const Duration length = train.times.lastAcknowledged - train.times.firstAcknowledged;
    train.times.firstAcknowledged = Arrival(train.times.firstAcknowledged);
    train.times.lastAcknowledged = Arrival(train.times.lastAcknowledged);
    const Duration arrived = train.times.lastAcknowledged - train.times.firstAcknowledged;
    train.times.pause = std::max(Duration(), arrived - length);
    Lane& lane = m_lanes[train.lane];
    lane.inFlight -= train.times.bytes;
    lane.window->Acknowledge(train.times, lane.sent, lane.inFlight);
    lane.answersUntil = train.times.lastAcknowledged;
    if (!lane.isAcknowledged)
    {
        lane.isAcknowledged = true;
        lane.answersSince = train.times.firstAcknowledged;
        m_acknowledged.push_back(train.lane);
    }
}

void
WindowedPair::SendForAcknowledgements()
{
    for (const std::uint32_t index : m_acknowledged)
    {
        Lane& lane = m_lanes[index];
        lane.isAcknowledged = false;
        m_answer = {std::max(m_now, lane.answersSince),
                    std::max(m_now, lane.answersUntil),
                    lane.window->Size() - lane.inFlight,
                    0};
        Send(index);
        GiveChunks();
    }
    m_acknowledged.clear();
}

/// When an acknowledgement that leaves the receiver at an instant is here, as far as that is known.
Instant
WindowedPair::Arrival(Instant acknowledgement) const
{
    const Instant leaves = m_reverse ? m_reverse->LeavesAfter(acknowledgement) : acknowledgement;
    return leaves + m_settings.returnDelay;
}

/// What lanes send whose pace lets them.
void
WindowedPair::EndPauses()
{
    while (!m_paced.empty() && m_paced.top().first <= m_now)
    {
        const std::uint32_t lane = m_paced.top().second;
        m_paced.pop();
        m_lanes[lane].isPaced = false;
        Send(lane);
        GiveChunks();
    }
}

/// The receiver has not waited for another segment any longer.
void
WindowedPair::ReleaseHeld(Lane& lane)
{
    AcknowledgedTrain late;
    late.bytes = std::exchange(lane.held, 0);
    late.firstAcknowledged = m_now;
    lane.isOdd = false;
    lane.inFlight -= late.bytes;
    lane.window->Acknowledge(late, lane.sent, lane.inFlight);
}

/// What the lane's windows allow.
void
WindowedPair::Send(std::uint32_t index)
{
    Lane& lane = m_lanes[index];
    if (lane.held > 0 && m_now - lane.heldSince > longestHeld)
    {
        ReleaseHeld(lane);
    }
    if (lane.sent == 0 && !lane.pieces.Empty())
    {
        lane.window->Open(m_now);
    }
    else if (lane.inFlight == 0 && !lane.pieces.Empty())
    {
        lane.window->RestartAfter(m_now - lane.lastSent, lane.sent);
    }
    while (!lane.pieces.Empty())
    {
        Piece& piece = lane.pieces.Front();
        const std::int64_t senders = Senders(lane);
        const std::int64_t left = (piece.bytes + senders - 1) / senders;
        const std::int64_t allowed = HasWindows() ? lane.window->Size() - lane.inFlight : left;
        const std::int64_t segment = std::max<std::int64_t>(1, m_settings.window.segment);
        std::int64_t bytes = std::min(left, allowed);
        bytes -= bytes < left ? bytes % segment : 0;
        if (bytes <= 0)
        {
            return;
        }
        const Duration backlog = Backlog();
        if (lane.window->SendsFrom() > m_now + backlog)
        {
            if (!std::exchange(lane.isPaced, true))
            {
                m_paced.emplace(lane.window->SendsFrom(), index);
            }
            return;
        }
        bytes = HasWindows() ? std::min(bytes, lane.window->Burst(backlog).value_or(m_largestTrain))
                             : bytes;
        SendTrain(index, bytes);
        if (piece.bytes == 0)
        {
            Pop(index);
        }
    }
}

void
WindowedPair::SendTrain(std::uint32_t index, std::int64_t bytesOfMember)
{
    Lane& lane = m_lanes[index];
    Piece& piece = lane.pieces.Front();
    const std::int64_t bytes = std::min(piece.bytes, bytesOfMember * Senders(lane));
    piece.bytes -= bytes;
    const std::uint32_t messageIndex = piece.message;
    Message& message = m_messages[messageIndex];
    Train train;
    train.lane = index;
    train.message = messageIndex;
    train.isFirst = !std::exchange(message.hasBegun, true);
    message.bytesToSend -= bytes;
    train.isLast = message.bytesToSend == 0;
    train.bytes = bytes;
    train.times.firstSent = m_answer.At(0);
    train.times.lastSent = m_answer.At(bytesOfMember);
    CountAcknowledgements(lane, train, bytesOfMember);
    m_answer.sent += bytesOfMember;
    lane.sent += bytesOfMember;
    lane.lastSent = m_now;
    lane.inFlight += bytesOfMember;
    lane.window->NoteSent(m_now, bytesOfMember, lane.sent, lane.inFlight);
    if (train.isFirst && !m_queue.Empty())
    {
        m_marks.PushBack(m_queued);
    }
    m_queued += static_cast<double>(bytes);
    train.queued = m_now;
    train.end = m_queued;
    if (train.isLast)
    {
        m_marks.PushBack(m_queued);
    }
    if (train.isLast && HasWindows())
    {
        Tell(Event::Kind::Sent, messageIndex);
    }
    m_queue.PushBack(train);
    if (m_queue.Size() == 1)
    {
        m_servedOfFirst = 0;
        BeginService(m_now);
    }
}

/// Every second segment is acknowledged, of bulk-tcp the very first one too.
void
WindowedPair::CountAcknowledgements(Lane& lane, Train& train, std::int64_t bytesOfMember) const
{
    const std::int64_t segment = std::max<std::int64_t>(1, m_settings.window.segment);
    const std::int64_t segments = (bytesOfMember + segment - 1) / segment;
    // Of the member in the middle.
    const std::int64_t before = (train.bytes - std::min(train.bytes, bytesOfMember)) / 2;
    train.untilLast = train.bytes;
    if (!m_settings.window.isBulkTcp)
    {
        train.untilFirst =
            std::min(train.bytes, before + segmentsToAcknowledge * m_settings.window.segment);
        train.times.bytes = bytesOfMember;
        train.times.acknowledgements =
            std::max<std::int64_t>(1, bytesOfMember / (segmentsToAcknowledge * segment));
        return;
    }
    train.times.acknowledgements = (segments + (lane.isOdd ? 1 : 0)) / segmentsToAcknowledge;
    train.untilFirst =
        std::min(train.bytes, before + (lane.isOdd ? 1 : segmentsToAcknowledge) * segment);
    train.times.bytes = bytesOfMember + lane.held;
    train.times.held = lane.held > 0 ? train.times.firstSent - lane.heldSince : Duration();
    lane.isOdd = lane.isOdd != (segments % segmentsToAcknowledge == 1);
    lane.held = 0;
    if (lane.isOdd)
    {
        const std::int64_t last = bytesOfMember - (segments - 1) * segment;
        train.untilLast = std::max<std::int64_t>(0, train.bytes - last);
        lane.held = train.times.acknowledgements > 0 ? last : train.times.bytes;
        lane.heldSince = train.times.lastSent;
        train.times.bytes -= lane.held;
    }
}

Instant
WindowedPair::Answer::At(std::int64_t byte) const
{
    if (bytes <= 0)
    {
        return since;
    }
    const double share =
        std::min(1.0, static_cast<double>(sent + byte) / static_cast<double>(bytes));
    const auto length = static_cast<double>((until - since).ToNanoseconds());
    return since + Duration::Nanoseconds(static_cast<std::int64_t>(share * length));
}

void
WindowedPair::Tell(Event::Kind kind, std::uint32_t message)
{
    m_events.push_back({kind, m_messages[message].number});
}

} // namespace geotrain
