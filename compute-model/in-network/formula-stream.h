// SPDX-License-Identifier: GPL-2.0-only
// Moves the bytes of one stream of an in-network optimizer by a closed form, without packets: n bytes
// take n / B on each line that they cross, lines serve in the order of the calls, and receivers have
// the last byte a latency later. It ignores queues, heartbeats that miss a tick, and loss.
#pragma once

#include "execution/clock.h"
#include "units/bytes.h"

#include <deque>
#include <functional>
#include <vector>

namespace geotrain
{

/// A FormulaLine is one direction of the links that streams share.
struct FormulaLine
{
    double bytesPerSecond; ///< of payload
    Instant freeAt;        ///< when it has carried what it was given
};

/// A FormulaStream has several ends, of which some send and some receive. Bytes move when the last of
/// them has given the buffer for them.
class FormulaStream
{
  public:
    struct Settings
    {
        Duration there; ///< from the end of the sending until receivers have it
        Duration back;  ///< from receivers' news until senders know
        std::vector<FormulaLine*> lines;
    };

    /// `isReceiver` is by end. `clock` and the lines outlive the stream.
    FormulaStream(Clock& clock, Settings settings, const std::vector<bool>& isReceiver);

    /// Gives the next buffer of an end, to send from or to receive into. `done` is called when a
    /// receiver has it, or when a sender knows that receivers do.
    void Give(std::size_t end, Bytes length, std::function<void()> done);

  private:
    struct Buffer
    {
        std::int64_t end; ///< bytes of the stream up to its last one
        std::function<void()> done;
    };

    struct End
    {
        std::deque<Buffer> buffers;
        std::int64_t given = 0; ///< bytes
        bool isReceiver = false;
    };

    /// A Carriage is what one line does for bytes that move together.
    struct Carriage
    {
        Instant begin;
        double bytesPerSecond;
    };

    void Move(std::int64_t until, Instant earliest);

    Clock& m_clock;
    const Settings m_settings;
    std::vector<End> m_ends;
    std::int64_t m_moved = 0; ///< bytes
};

} // namespace geotrain
