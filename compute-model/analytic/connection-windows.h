// What the connections of a node pair may send: each at most one window a round trip. A cold connection's window is the
// initial one, and what a round trip acknowledges is added to it up to the limit (slow start, RFC 5681 section 3.1, with
// bytes counted as in RFC 3465). HyStart's acknowledgement trains (Ha and Rhee, Taming the elephants, section 4)
// end slow start as in ns-3's Cubic; then a window grows by a twentieth of what is acknowledged. It never closes: after idling a
// connection sends its whole window at once, as ns-3's does. Loss, HyStart's delay test and Cubic's curve are ignored.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

class ConnectionWindows
{
  public:
    struct Settings
    {
        Bytes initial; ///< 0 or above the limit: the limit
        Bytes limit;   ///< 0: none
        Bytes segment; ///< whole ones of this payload are sent; 0: to the bit
        Duration roundTrip;
        double bitsPerNanosecond = 0; ///< at which a window leaves; 0: at once
    };

    ConnectionWindows(std::uint32_t connections, const Settings& settings);

    /// Whether windows limit anything.
    bool HasLimit() const;

    /// Each connection has carried its part of `size`, and it was acknowledged.
    void Warm(Bytes size);

    /// Bits that connections may send now and in each round trip from its next on; and whether that grows no more.
    struct Allowance
    {
        double now = 0;
        double ofRoundTrip = 0;
        bool isOpen = false;
        Instant roundTripEnd; ///< when more may go, where now is 0
    };

    /// A message, in chunks that connections take when the one before has gone.
    struct Message
    {
        struct Part
        {
            std::uint32_t connection = 0;
            double bitsLeft = 0; ///< of its chunk
        };

        std::vector<Part> parts;
        std::uint32_t chunksLeft = 0; ///< that no connection has taken
        double bitsOfChunk = 0;
        bool hasBegun = false;
    };

    Allowance Allows(const Message& message, Instant now);

    /// Takes `bits` of what its connections may send now, in the proportion of what each may.
    void Take(const Message& message, double bits, double allowed);

    /// Sends what may go now, chunk by chunk. Its first chunks go in turn; later the connection whose acknowledgements
    /// come first sends its window first. Returns the bits, and when connections with a chunk may send more.
    Allowance TakeChunks(Message& message, Instant now);

    /// What the message's connections sent at `now` waits for `wait`, and leaves at a rate in bits a nanosecond.
    void Queue(const Message& message, Instant now, Duration wait, double bitsPerNanosecond);

  private:
    struct Window
    {
        double bits = 0;
        double sent = 0;    ///< in the round trip that began at `roundStart`
        Instant roundStart; ///< of no meaning while `sent` is 0
        Instant trainEnd;   ///< when the last window before had left
        bool hasTrain = false;
        bool inSlowStart = true;
    };

    void Acknowledge(Window& window, Instant now) const;
    void AcknowledgeOld(Window& window, Instant now) const;
    double Growth(Window& window) const;
    Duration TrainOf(double bits) const;
    bool SendOfChunk(Message& message, Message::Part& part);
    double InWholeSegments(double bits) const;

    std::vector<Window> m_windows;
    double m_limit = 0;
    double m_segment = 0;
    double m_bitsPerNanosecond = 0;
    Duration m_roundTrip;
};

} // namespace geotrain
