// SPDX-License-Identifier: GPL-2.0-only
// Multiplies what one connection does by the number of members that do it.
#include "analytic/connection-group.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

ConnectionGroup::ConnectionGroup(std::uint32_t members, Connection connection)
    : m_members(members),
      m_connection(std::move(connection))
{
}

void
ConnectionGroup::Push(const Piece& piece)
{
    m_pieces.PushBack(piece);
    m_chosen += piece.members;
    m_taken += piece.isStriped ? piece.members : 0;
}

Piece
ConnectionGroup::Pop()
{
    const Piece piece = m_pieces.PopFront();
    m_chosen -= piece.members;
    m_taken -= piece.isStriped ? piece.members : 0;
    return piece;
}

/// Returns the number of members that have something to send.
std::int64_t
ConnectionGroup::Senders() const
{
    return std::min(m_members, m_chosen);
}

std::int64_t
ConnectionGroup::Allowed() const
{
    if (HasLost())
    {
        // What a later train acknowledges in its place, since it was held, needs no window.
        const std::int64_t lost = m_lost.Front().times.lost;
        return lost == 0 ? 1 : m_connection.AllowedAgain(lost);
    }
    const std::int64_t senders = Senders();
    return m_connection.Allowed((m_pieces.Front().bytes + senders - 1) / senders);
}

Train
ConnectionGroup::Send(Instant now, std::int64_t bytesOfMember, Instant first, Instant last)
{
    Piece& piece = m_pieces.Front();
    Train train;
    train.message = piece.message;
    train.bytes = std::min(piece.bytes, bytesOfMember * Senders());
    piece.bytes -= train.bytes;
    const Reception reception =
        m_connection.Send(now, bytesOfMember, first, last, piece.bytes == 0);
    // The acknowledgements are those of the member in the middle.
    const std::int64_t before = (train.bytes - std::min(train.bytes, bytesOfMember)) / 2;
    train.untilFirst = std::min(train.bytes, before + reception.untilFirst);
    train.untilLast = std::max<std::int64_t>(0, train.bytes - reception.afterLast);
    train.members = static_cast<std::uint32_t>(Senders());
    train.times = reception.train;
    return train;
}

void
ConnectionGroup::Miss(const Train& train)
{
    m_connection.Miss(train.times);
    m_missing.PushBack(train);
}

void
ConnectionGroup::LearnOfLosses(std::int64_t order)
{
    while (!m_missing.Empty() && m_missing.Front().times.order < order)
    {
        const Train train = m_missing.PopFront();
        const double packets =
            static_cast<double>(train.lost) / static_cast<double>(m_connection.Segment());
        m_connection.Lose(train.times, std::min(1.0, packets / m_members));
        m_lost.PushBack(train);
    }
}

Train
ConnectionGroup::Repair(Instant now, std::int64_t bytesOfMember, Instant first, Instant last)
{
    Train& loss = m_lost.Front();
    const std::int64_t part = std::min(bytesOfMember, loss.times.lost);
    Train train;
    train.message = loss.message;
    train.isLast = true; // so that the end of the message is not missed
    train.members = loss.members;
    train.bytes = part < loss.times.lost ? loss.lost * part / loss.times.lost : loss.lost;
    train.times = m_connection.Repair(now, part, loss.times);
    train.times.firstSent = first;
    train.times.lastSent = last;
    train.untilFirst = std::min(train.bytes, m_connection.Segment());
    train.untilLast = train.bytes;
    loss.lost -= train.bytes;
    loss.times.lost -= part;
    if (loss.times.lost == 0)
    {
        m_lost.PopFront();
    }
    return train;
}

} // namespace geotrain
