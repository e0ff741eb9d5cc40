// SPDX-License-Identifier: GPL-2.0-only
// Shares links among streams without packets. Those that meet in a queue get equal rates, as windows of
// equal size give them, until a link is full or a stream has what it can take (max-min fairness). Those
// that leave one NIC go one after another: an engine goes on as long as it has credit, and only then
// is there room for another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ns3
{

/// A LinkUse says how many bytes a link carries for each byte of a stream's payload.
struct LinkUse
{
    std::size_t link = 0;
    double bytesPerByte = 1;
};

/// A LinkLoad is what a link carries each second, whatever the rate of a stream.
struct LinkLoad
{
    std::size_t link = 0;
    double bytesPerSecond = 0;
};

/// A SharedStream is what a stream asks of links.
struct SharedStream
{
    double most = 0; ///< payload per second that it can take at most
    std::vector<LinkUse> uses;
    bool goesInTurn = false; ///< whether it shares NICs, where the first one goes on
    double window = 0;       ///< bytes of payload that may be under way
    double loop = 0;         ///< seconds from credit to credit, without queues
    std::optional<std::size_t> heartbeats{}; ///< link in whose queue its heartbeats wait
    std::vector<LinkLoad> loads{};           ///< of heartbeats, while it moves
};

/// SharedLinks know the rates of streams.
class SharedLinks
{
  public:
    /// Gives each link its bytes per second.
    explicit SharedLinks(std::vector<double> rates);

    /// Adds a stream that stands still, and returns its number. `changed` is called after another
    /// stream has changed its rate.
    std::size_t Add(SharedStream stream, std::function<void()> changed);

    /// Tells whether a stream moves.
    void SetMoving(std::size_t stream, bool isMoving);

    /// Returns the payload per second of a stream; 0 where it stands still.
    double RateOf(std::size_t stream) const;

    /// Returns the seconds that a heartbeat of a stream waits behind other streams.
    double HeartbeatWait(std::size_t stream) const;

  private:
    struct Stream
    {
        SharedStream asks;
        std::function<void()> changed;
        bool isMoving = false;
        std::uint64_t turn = 0; ///< rises with each stream that begins to move
        double rate = 0;
    };

    double MostOf(std::size_t stream) const;
    std::vector<std::vector<std::size_t>> Turns() const;
    std::vector<double> LeftByHeartbeats() const;
    std::vector<double> Share() const;
    double
    Rise(const std::vector<std::size_t>& rising, double level, std::vector<double>& left) const;
    bool MayNotRise(std::size_t stream, double level, const std::vector<double>& left) const;

    const std::vector<double> m_rates; ///< bytes per second, by link
    std::vector<Stream> m_streams;
    std::uint64_t m_turns = 0;
};

} // namespace ns3
