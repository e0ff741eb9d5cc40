// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/line-reader.h"
#include "path-learning/trace-readers.h"

#include <algorithm>
#include <array>

namespace geotrain
{

namespace
{

constexpr std::array<std::string_view, 3> columns{"send_s", "size_bytes", "delay_s"};
constexpr double nsPerS = 1e9;
constexpr double largestNs = 4e18;     // 126 years
constexpr double longestNs = 600e9;    // ten minutes
constexpr double largestBytes = 65535; // IPv4

/// Returns the place of each of `columns` in the header.
std::array<std::size_t, columns.size()>
PlacesOf(const LineReader& lines, std::string_view header)
{
    const auto names = SplitAt(header, ',');
    std::array<std::size_t, columns.size()> places{};
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        const auto found = std::find(names.begin(), names.end(), columns[i]);
        if (found == names.end() || std::count(names.begin(), names.end(), columns[i]) != 1)
        {
            lines.Fail(header.substr(0, 60), "must have the columns send_s,size_bytes,delay_s");
        }
        places[i] = static_cast<std::size_t>(found - names.begin());
    }
    for (const std::string_view name : names)
    {
        const bool isKnown = std::find(columns.begin(), columns.end(), name) != columns.end();
        if (!isKnown && name.substr(0, 5) != "true_")
        {
            lines.Fail(name, "is no column of packets: send_s, size_bytes, delay_s, true_...");
        }
    }
    return places;
}

TracedPacket
PacketOf(const LineReader& lines,
         const std::vector<std::string_view>& cells,
         const std::array<std::size_t, columns.size()>& places)
{
    TracedPacket packet;
    packet.line = lines.Number();
    packet.sent = Instant::FromNanoseconds(lines.Scaled(cells[places[0]], nsPerS, largestNs));
    packet.size = Bytes::Of(lines.Scaled(cells[places[1]], 1, largestBytes));
    if (packet.size < Bytes::Of(1))
    {
        lines.Fail(cells[places[1]], "must be 1 to 65535 bytes");
    }
    const std::string_view delay = cells[places[2]];
    if (!delay.empty())
    {
        packet.delay = Duration::Nanoseconds(lines.Scaled(delay, nsPerS, longestNs));
        if (*packet.delay < Duration())
        {
            lines.Fail(delay, "is a delay, and must be >= 0");
        }
    }
    return packet;
}

} // namespace

PacketTrace
ParsePacketCsv(const std::string& name, const std::string& text)
{
    LineReader lines(name, text);
    std::string_view line;
    if (!lines.Next(line))
    {
        throw ConfigError(name, "", "", "is empty");
    }
    const auto places = PlacesOf(lines, line);
    const auto width = SplitAt(line, ',').size();
    PacketTrace trace;
    trace.name = name;
    while (lines.Next(line))
    {
        const auto cells = SplitAt(line, ',');
        if (cells.size() != width)
        {
            lines.Fail(line.substr(0, 60), "must have " + std::to_string(width) + " columns");
        }
        trace.packets.push_back(PacketOf(lines, cells, places));
        const auto count = trace.packets.size();
        if (count > 1 && trace.packets[count - 1].sent < trace.packets[count - 2].sent)
        {
            lines.Fail(cells[places[0]], "is earlier than the line before: a clock jumps");
        }
    }
    FinishTrace(trace);
    return trace;
}

} // namespace geotrain
