// SPDX-License-Identifier: GPL-2.0-only
// A group of a pair's connections that behave alike, of which one stands for all members. Each
// member that has something to send does what that one does. Members pool what their windows allow.
// A group of one is just that connection. README.md has the error against connections that are
// simulated each by itself.
#pragma once

#include "analytic/connection.h"
#include "units/growing-ring.h"

#include <cstdint>

namespace geotrain
{

/// A Piece is the bytes of a message that members of a group have taken.
struct Piece
{
    std::uint32_t message = 0;
    std::int64_t bytes = 0;    ///< bytes not yet sent
    std::uint32_t members = 1; ///< members that send it
    bool isStriped = false;    ///< it consists of chunks, which wait for free members
};

/// A ConnectionGroup is a connection and the number of members for which it stands.
class ConnectionGroup
{
  public:
    ConnectionGroup(std::uint32_t members, Connection connection);

    /// Returns the connection that stands for its members.
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

    /// Returns the number of members that have taken no chunk.
    std::uint32_t FreeMembers() const
    {
        return m_members - m_taken;
    }

    bool HasPieces() const
    {
        return !m_pieces.Empty();
    }

    /// Returns whether something was lost of which it doesn't know.
    bool HasMissing() const
    {
        return !m_missing.Empty();
    }

    /// Returns whether something is to be sent again, which comes before all pieces.
    bool HasLost() const
    {
        return !m_lost.Empty();
    }

    /// Returns how many trains have losses that are to be sent again.
    std::size_t LostTrains() const
    {
        return m_lost.Size();
    }

    /// Adds what was lost of a train. It learns of it later.
    void Miss(const Train& train);

    /// Learns that what was lost of trains that it sent before the order `order` hasn't come.
    void LearnOfLosses(std::int64_t order);

    /// Sends of the oldest loss at most `bytesOfMember` per member again.
    Train Repair(Instant now, std::int64_t bytesOfMember, Instant first, Instant last);

    /// Returns the oldest piece; there must be one.
    const Piece& Front() const
    {
        return m_pieces.Front();
    }

    /// Adds a piece behind all others.
    void Push(const Piece& piece);

    /// Takes the oldest piece, which has been sent.
    Piece Pop();

    /// Does what Connection::Wake does.
    void Wake(Instant now)
    {
        m_connection.Wake(now, HasPieces());
    }

    /// Returns how much each member may send of what is to be sent again, or else of the oldest piece; may be
    /// negative.
    std::int64_t Allowed() const;

    /// Sends of the oldest piece at most `bytesOfMember` per member. Times are those of
    /// Connection::Send.
    Train Send(Instant now, std::int64_t bytesOfMember, Instant first, Instant last);

  private:
    std::int64_t Senders() const;

    std::uint32_t m_members;
    std::uint32_t m_chosen = 0; ///< sum of the members of all pieces
    std::uint32_t m_taken = 0;  ///< sum of the members of striped pieces
    Connection m_connection;
    GrowingRing<Piece> m_pieces;
    GrowingRing<Train> m_missing; ///< trains with losses of which it doesn't know
    GrowingRing<Train> m_lost;    ///< those with losses of which it knows, not sent again
};

} // namespace geotrain
