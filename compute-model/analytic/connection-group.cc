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
        return m_lost.Front().train.lost == 0
                   ? 1
                   : m_connection.AllowedAgain(m_lost.Front().train.lost);
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
ConnectionGroup::Miss(const Loss& loss)
{
    m_connection.Miss(loss.train);
    m_missing.PushBack(loss);
}

void
ConnectionGroup::LearnOfLosses(std::int64_t order)
{
    while (!m_missing.Empty() && m_missing.Front().train.order < order)
    {
        const Loss loss = m_missing.PopFront();
        const double ofMember =
            static_cast<double>(std::max<std::int64_t>(1, m_connection.Segment()));
        const double packets = static_cast<double>(loss.bytes) / ofMember;
        m_connection.Lose(loss.train, std::min(1.0, packets / m_members));
        m_lost.PushBack(loss);
    }
}

Train
ConnectionGroup::Repair(Instant now, std::int64_t bytesOfMember, Instant first, Instant last)
{
    Loss& loss = m_lost.Front();
    const std::int64_t part = std::min(bytesOfMember, loss.train.lost);
    Train train;
    train.message = loss.message;
    train.isLast = true; // so that the end of the message is not missed
    train.members = loss.members;
    train.bytes = part < loss.train.lost ? loss.bytes * part / loss.train.lost : loss.bytes;
    train.times = m_connection.Repair(now, part, loss.train);
    train.times.firstSent = first;
    train.times.lastSent = last;
    train.untilFirst = std::min(train.bytes, m_connection.Segment());
    train.untilLast = train.bytes;
    loss.bytes -= train.bytes;
    loss.train.lost -= part;
    if (loss.train.lost == 0)
    {
        m_lost.PopFront();
    }
    return train;
}

void
ConnectionGroup::Replace(Connection connection)
{
    m_connection = std::move(connection);
}

} // namespace geotrain
