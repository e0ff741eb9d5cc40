// SPDX-License-Identifier: GPL-2.0-only
// Connections of a pair that are alike: one stands for all. What it sends and is acknowledged, each
// member that has something to send does; members pool what their windows allow. A group of one is
// that connection. How far that is from each by itself is in the README.
#pragma once

#include "analytic/connection.h"
#include "units/growing-ring.h"

#include <cstdint>

namespace geotrain
{

/// Bytes of a message that members of a group have taken.
struct Piece
{
    std::uint32_t message = 0;
    std::int64_t bytes = 0;    ///< not yet sent
    std::uint32_t members = 1; ///< that it takes
    bool isStriped = false;    ///< it is of chunks, which wait for free members
};

class ConnectionGroup
{
  public:
    ConnectionGroup(std::uint32_t members, Connection connection);

    /// The connection that stands for its members.
    Connection& Member()
    {
        return m_connection;
    }

    const Connection& Member() const
    {
        return m_connection;
    }

    std::uint32_t Members() const
    {
        return m_members;
    }

    /// Members that have taken no chunk.
    std::uint32_t FreeMembers() const
    {
        return m_members - m_taken;
    }

    bool HasPieces() const
    {
        return !m_pieces.Empty();
    }

    /// The oldest. There must be one.
    const Piece& Front() const
    {
        return m_pieces.Front();
    }

    /// Adds a piece behind all others.
    void Push(const Piece& piece);

    /// Takes the oldest piece, which has been sent.
    Piece Pop();

    void Wake(Instant now)
    {
        m_connection.Wake(now, HasPieces());
    }

    /// What each member with something to send may send of the oldest piece; may be negative.
    std::int64_t Allowed() const;

    /// Sends of the oldest piece, at most `bytesOfMember` of each member; times as for Connection.
    Train Send(Instant now, std::int64_t bytesOfMember, Instant first, Instant last);

    /// Puts a connection in place of that which stood for its members.
    void Replace(Connection connection);

  private:
    std::int64_t Senders() const;

    std::uint32_t m_members;
    std::uint32_t m_chosen = 0; ///< members of all its pieces
    std::uint32_t m_taken = 0;  ///< of those that are striped
    Connection m_connection;
    GrowingRing<Piece> m_pieces;
};

} // namespace geotrain
