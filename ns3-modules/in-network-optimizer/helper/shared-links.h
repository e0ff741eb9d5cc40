// SPDX-License-Identifier: GPL-2.0-only
// Shares links among streams without packets. Those that meet in a queue get equal rates, as windows of
// equal size give them, until a link is full or a stream has what it can take (max-min fairness).
// Those that leave one NIC go in the order of their requests (model/nic-pacer.h). It also knows what
// heartbeats wait for, in NICs and in queues.
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
    bool isBack = false; ///< whether they are acknowledgements, which go the other way
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
    bool goesInTurn = false;          ///< whether it shares NICs, where the first one goes on
    double window = 0;                ///< bytes of payload that may be under way
    double loop = 0;                  ///< seconds from credit to credit, without queues
    double packet = 0;                ///< bytes of payload of a packet
    std::optional<std::size_t> nic{}; ///< link of its senders' NICs
    std::optional<std::size_t> heartbeatNic{}; ///< link of the NICs that send its heartbeats
    std::optional<std::size_t> heartbeats{}; ///< link after it, in whose queue its heartbeats wait
    std::vector<LinkLoad> loads{};           ///< of heartbeats, while it moves
    double sent = 0; ///< payload per second that its senders send while they have credit
};

/// Queues say what of a stream waits; each may be empty.
struct Queues
{
    std::function<double()> inNic;   ///< seconds of data in the senders' NICs
    std::function<double()> inLinks; ///< bytes of payload that have left them and wait for links
};

/// SharedLinks know the rates of streams.
class SharedLinks
{
  public:
    /// Gives each link its bytes per second.
    explicit SharedLinks(std::vector<double> rates);

    /// Adds a stream that stands still, and returns its number. `changed` is called after another
    /// stream has changed its rate.
    std::size_t Add(SharedStream stream, std::function<void()> changed, Queues queues = {});

    /// Sets what a stream that stands still can take at most, in bytes of payload per second.
    void SetMost(std::size_t stream, double most);

    /// Returns the turn of a request that is made now.
    std::uint64_t NextTurn();

    /// Tells that a stream moves a request of `turn`. `hasSpent` says whether it has spent its
    /// first window, so that it waits for heartbeats.
    void Move(std::size_t stream, std::uint64_t turn, bool hasSpent = true);

    /// Tells that a stream stands still.
    void Stop(std::size_t stream);

    /// Returns the payload per second of a stream; 0 where it stands still.
    double RateOf(std::size_t stream) const;

    /// Returns the payload per second that a stream's senders send while they have credit.
    double SendRate(std::size_t stream) const;

    /// Returns the seconds that a heartbeat of a stream waits in its NIC behind data.
    double NicWait(std::size_t stream) const;

    /// Returns the seconds that it waits on the link after that: behind streams that have met
    /// there, and behind half a packet.
    double HeartbeatWait(std::size_t stream) const;

  private:
    struct Stream
    {
        SharedStream asks;
        std::function<void()> changed;
        Queues queues;
        bool isMoving = false;
        bool hasSpent = false;  ///< whether it has spent its first window
        std::uint64_t turn = 0; ///< of the request that it moves
        double rate = 0;
    };

    void ShareAnew(std::size_t stream);
    double FullWindowsWait(std::size_t link) const;
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
