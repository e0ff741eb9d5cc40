// What the connections of a node pair may send: each at most one window a round trip. A cold connection's window is the
// initial one, and what a round trip acknowledges is added to it up to the limit (slow start, RFC 5681 section 3.1, with
// bytes counted as in RFC 3465). It never closes: after idling a connection sends its whole window at once, as ns-3's
// does. Loss and congestion avoidance are ignored.
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
    /// Connections that follow each other round-robin.
    struct Range
    {
        std::uint32_t first = 0;
        std::uint32_t count = 0; ///< at most all of them
    };

    struct Settings
    {
        Bytes initial; ///< 0 or above the limit: the limit
        Bytes limit;   ///< 0: none
        Bytes segment; ///< whole ones of this payload are sent; 0: to the bit
        Duration roundTrip;
    };

    ConnectionWindows(std::uint32_t connections, const Settings& settings);

    /// Whether windows limit anything.
    bool HasLimit() const;

    /// Each connection has carried its part of `size`, and it was acknowledged.
    void Warm(Bytes size);

    /// Bits that `range` may send now and in each round trip from its next on; and whether that grows no more.
    struct Allowance
    {
        double now = 0;
        double ofRoundTrip = 0;
        bool isOpen = false;
        Instant roundTripEnd; ///< when more may go, where now is 0
    };

    Allowance Allows(const Range& range, Instant now);

    /// Takes `bits` of what `range` may send now from its connections, in the proportion of what each may.
    void Take(const Range& range, double bits, double allowed);

    /// All that `range` has sent is acknowledged at `now`.
    void Acknowledge(const Range& range, Instant now);

  private:
    struct Window
    {
        double bits = 0;
        double sent = 0;    ///< in the round trip that began at `roundStart`
        Instant roundStart; ///< of no meaning while `sent` is 0
    };

    void Acknowledge(Window& window, Instant now) const;
    Window& At(const Range& range, std::uint32_t index);

    double InWholeSegments(double bits) const;

    std::vector<Window> m_windows;
    double m_limit = 0;
    double m_segment = 0;
    Duration m_roundTrip;
};

} // namespace geotrain
