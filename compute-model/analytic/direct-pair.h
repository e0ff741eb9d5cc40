// SPDX-License-Identifier: GPL-2.0-only
// A pair of nodes whose connections nothing limits: messages go into its queue at once, one after
// another.
#pragma once

#include "analytic/pair-sender.h"

namespace geotrain
{

class DirectPair : public PairSender
{
  public:
    /// `header`: bytes before each message of a connection.
    DirectPair(std::uint32_t connections, std::int64_t header);

    void Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t chunks) override;
    void Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t connection) override;
    void QueueForAll(std::uint32_t message, std::int64_t bytes) override;
    void Advance(Instant now) override;

  private:
    void Begins(const Train& train, Instant at) override;
    void HasLeft(const Train& train, Instant at) override;

    void Add(std::uint32_t message, std::int64_t bytes);

    std::uint32_t m_connections;
    std::int64_t m_header;
    std::vector<Train> m_arrived; ///< since the last Advance
};

} // namespace geotrain
