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
ConnectionGroup::Replace(Connection connection)
{
    m_connection = std::move(connection);
}

} // namespace geotrain
