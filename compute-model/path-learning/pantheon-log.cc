// SPDX-License-Identifier: GPL-2.0-only
// An arrival is matched with its sending by the time, which the log gives in microseconds. A log may
// be a part of a longer one: an arrival of what was sent before its first line is left out, and so
// are packets at its end of which it doesn't say whether they arrived.
#include "path-learning/line-reader.h"
#include "path-learning/trace-readers.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double usPerMs = 1000;
constexpr double largestUs = 4e15;      // fits nanoseconds in 64 bits
constexpr double largestPacket = 65535; // IPv4
constexpr double largestFlow = 2e9;
constexpr std::int64_t longestDelayUs = 600000000; // ten minutes

/// PantheonParser makes a trace of the lines of a log.
class PantheonParser
{
  public:
    PantheonParser(const std::string& name, std::string_view text)
        : m_lines(name, text)
    {
        m_trace.name = name;
    }

    PacketTrace Parse()
    {
        std::string_view line;
        while (m_lines.Next(line))
        {
            if (!line.empty() && line.front() != '#')
            {
                TakeLine(line);
            }
        }
        if (m_trace.packets.empty())
        {
            throw ConfigError(m_trace.name, "", "", "has no departures, lines MS + BYTES FLOW");
        }
        DropUnknownEnd();
        FinishTrace(m_trace);
        return std::move(m_trace);
    }

  private:
    using SentKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>; ///< us, flow, bytes

    void TakeLine(std::string_view line)
    {
        const auto parts = SplitAt(line, ' ');
        const std::string_view kind = parts.size() > 1 ? parts[1] : "";
        const std::size_t expected = kind == "#" ? 3 : (kind == "+" ? 4 : (kind == "-" ? 5 : 0));
        if (expected == 0 || parts.size() != expected)
        {
            m_lines.Fail(line.substr(0, 60),
                         "must be MS # BYTES, MS + BYTES FLOW or MS - BYTES DELAY_MS FLOW");
        }
        const std::int64_t atUs = m_lines.Scaled(parts[0], usPerMs, largestUs);
        const std::int64_t bytes = m_lines.Scaled(parts[2], 1, largestPacket);
        if (kind == "#")
        {
            return;
        }
        if (atUs < m_lastUs)
        {
            m_lines.Fail(parts[0], "is earlier than the line before: a clock jumps");
        }
        m_lastUs = atUs;
        m_firstUs = std::min(m_firstUs, atUs);
        if (bytes < 1)
        {
            m_lines.Fail(parts[2], "must be 1 to 65535 bytes");
        }
        const std::int64_t flow = m_lines.Scaled(parts.back(), 1, largestFlow);
        kind == "+" ? Send(atUs, flow, bytes) : Arrive(atUs, flow, bytes, parts[3]);
    }

    void DropUnknownEnd()
    {
        auto& packets = m_trace.packets;
        const auto last = std::find_if(packets.rbegin(),
                                       packets.rend(),
                                       [](const auto& packet) { return packet.delay.has_value(); });
        if (last != packets.rend())
        {
            packets.erase(last.base(), packets.end());
        }
    }

    void Send(std::int64_t atUs, std::int64_t flow, std::int64_t bytes)
    {
        m_pending.emplace(SentKey(atUs, flow, bytes), m_trace.packets.size());
        TracedPacket packet;
        packet.sent = Instant::FromNanoseconds(atUs * 1000);
        packet.size = Bytes::Of(bytes);
        packet.line = m_lines.Number();
        m_trace.packets.push_back(packet);
    }

    void
    Arrive(std::int64_t atUs, std::int64_t flow, std::int64_t bytes, std::string_view delayText)
    {
        const std::int64_t delayUs = m_lines.Scaled(delayText, usPerMs, largestUs);
        if (delayUs < 0 || delayUs > longestDelayUs)
        {
            m_lines.Fail(delayText, "is a delay, and must be 0 to 600000 ms");
        }
        for (const std::int64_t rounding : {0, -1, 1}) // of two times to a microsecond
        {
            const auto found = m_pending.find({atUs - delayUs + rounding, flow, bytes});
            if (found != m_pending.end())
            {
                m_trace.packets[found->second].delay = Duration::Microseconds(delayUs);
                m_pending.erase(found);
                return;
            }
        }
        if (atUs - delayUs >= m_firstUs)
        {
            m_lines.Fail(delayText, "ms before, no such packet was sent");
        }
    }

    LineReader m_lines;
    PacketTrace m_trace;
    std::multimap<SentKey, std::size_t> m_pending; ///< packets that have not arrived
    std::int64_t m_firstUs = static_cast<std::int64_t>(largestUs);
    std::int64_t m_lastUs = -m_firstUs;
};

} // namespace

PacketTrace
ParsePantheonLog(const std::string& name, const std::string& text)
{
    return PantheonParser(name, text).Parse();
}

} // namespace geotrain
