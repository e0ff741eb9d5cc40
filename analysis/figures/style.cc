// SPDX-License-Identifier: GPL-2.0-only
#include "figures/style.h"

#include <boost/algorithm/string/case_conv.hpp>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace geotrain
{

namespace
{

/// Colours, and their luminance L*. Slots that follow each other differ much in it.
constexpr std::array<const char*, seriesColours> colours = {"#0d2f52",  // 19
                                                            "#d98a2b",  // 64
                                                            "#a3341f",  // 38
                                                            "#79b8e1",  // 72
                                                            "#6d2a63",  // 29
                                                            "#3b8bc4",  // 55
                                                            "#23805c",  // 48
                                                            "#dcc65c"}; // 80
/// Circle, square, triangle, diamond, triangle upside down, cross and star. An open shape at print
/// size looks like the filled one, and a plus like an interval.
constexpr std::array<int, 7> markers = {7, 5, 9, 13, 11, 2, 3};
constexpr std::array<int, 5> dashes = {1, 2, 4, 3, 5};
constexpr std::size_t allSlots = 40; // of the hash

/// Slots of names that geotrain knows, without prefixes and in lower case. Names that often stand
/// in one figure have slots of different colours.
const std::map<std::string, std::size_t>&
KnownSlots()
{
    static const std::map<std::string, std::size_t> slots = {
        // congestion controls
        {"cubic", 0},
        {"bbr3", 1},
        {"bbr", 2},
        {"dctcp", 3},
        {"linuxreno", 4},
        {"newreno", 5},
        {"htcp", 6},
        {"vegas", 7},
        {"illinois", 8},
        {"scalable", 9},
        {"highspeed", 10},
        {"bic", 11},
        {"westwood", 12},
        {"hybla", 13},
        {"yeah", 14},
        {"veno", 15},
        {"ledbat", 16},
        {"lp", 17},
        {"ns3::cubic", 18}, // ns-3's controls of the names of geotrain's
        {"ns3::htcp", 19},
        // schedules
        {"1f1b", 0},
        {"atlas", 1},
        {"gpipe", 2},
        {"varuna", 3},
        {"interleaved", 4},
        {"cross-dc", 5},
        {"zb-2p", 6},
        {"zb-v", 7},
        {"zb-h2", 8},
        {"zb-1p", 9},
        {"zb-h1", 14},
        {"dualpipe-v", 11},
        {"pipedream-2bw", 12},
        {"pipemare", 13},
        // systems and networks
        {"bubbletea", 6},
        {"atlas with bubbletea", 6},
        {"pipefill", 4},
        {"one connection", 2},
        {"1 connection", 2},
        {"20 connections", 0},
        {"1f1b, one connection", 2}, // over a WAN, of the systems that Atlas is compared with
        {"1f1b, 20 connections", 0},
        {"temporal sharing", 5},
        {"spatial sharing", 3},
        {"packets", 0},
        {"analytic", 1},
        {"training alone", 0},
        // pipeline stages of a prefill
        {"pp 1", 0},
        {"pp 2", 1},
        {"pp 4", 2},
        {"pp 8", 3},
        {"pp 16", 4},
    };
    return slots;
}

/// Returns `name` in lower case, without TCP's prefix and without C++ namespaces, except where
/// geotrain and ns-3 have controls of the same name.
std::string
Plain(std::string name)
{
    const auto colon = name.rfind("::");
    if (colon != std::string::npos)
    {
        const std::string last = Plain(name.substr(colon + 2));
        const bool isNs3s = name.rfind("ns3::", 0) == 0 && KnownSlots().count("ns3::" + last) > 0;
        return (isNs3s ? "ns3::" : "") + last;
    }
    name = name.rfind("Tcp", 0) == 0 ? name.substr(3) : name;
    return boost::to_lower_copy(name);
}

/// Returns the slot of the congestion control or number of stages with which `name` begins, as in
/// "TcpCubic, cold" and "PP 4, median".
std::optional<std::size_t>
SlotOfStartOf(const std::string& name)
{
    const auto start = name.substr(0, name.find(','));
    const auto known = KnownSlots().find(Plain(start));
    const bool counts = start.find("Tcp") != std::string::npos || start.rfind("PP ", 0) == 0;
    return counts && known != KnownSlots().end() ? std::optional(known->second) : std::nullopt;
}

/// FNV-1a and one step of mixing, which give the same on every machine.
std::size_t
HashOf(const std::string& name)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name)
    {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
    return static_cast<std::size_t>((hash >> 33) % allSlots);
}

/// Returns gnuplot's size of a marker, with which all look equally large. A cross and a star are
/// thin, and a circle is smaller than a square of its width.
double
SizeOf(int marker)
{
    constexpr int circle = 7;
    constexpr int square = 5;
    return marker == square ? 0.65 : marker == circle ? 0.75 : 0.85;
}

/// SlotsOfFigure are the slots that the series of a figure have already.
class SlotsOfFigure
{
  public:
    void Take(std::size_t slot)
    {
        m_slots.insert(slot);
        m_colours.insert(slot % seriesColours);
        m_markers.insert(StyleOfSlot(slot).marker);
    }

    bool Has(std::size_t slot) const
    {
        return m_slots.count(slot) > 0;
    }

    /// Takes and returns the first free slot that has the colour of `wanted`.
    std::size_t TakeColourOf(std::size_t wanted)
    {
        while (Has(wanted))
        {
            wanted += seriesColours;
        }
        Take(wanted);
        return wanted;
    }

    /// Takes and returns the first slot from `wanted` on whose colour is free, or, where none is,
    /// that is free itself. While there are free markers, it has one of them and keeps its colour.
    std::size_t TakeFrom(std::size_t wanted)
    {
        const bool hasColours = m_colours.size() < seriesColours;
        const bool hasMarkers = m_markers.size() < markers.size();
        while (hasColours ? m_colours.count(wanted % seriesColours) > 0 : Has(wanted))
        {
            ++wanted;
        }
        while (hasMarkers && m_markers.count(StyleOfSlot(wanted).marker) > 0)
        {
            wanted += seriesColours;
        }
        Take(wanted);
        return wanted;
    }

  private:
    std::set<std::size_t> m_slots;
    std::set<std::size_t> m_colours;
    std::set<int> m_markers;
};

} // namespace

std::string
SeriesStyle::Line() const
{
    return fmt::format("lw 1 lc rgb '{}' dt {}", colour, dash);
}

std::string
SeriesStyle::LineWithMarkers() const
{
    return fmt::format("{} pt {} ps {}", Line(), marker, SizeOf(marker));
}

std::string
SeriesStyle::Markers() const
{
    return fmt::format("lc rgb '{}' pt {} ps {}", colour, marker, SizeOf(marker));
}

SeriesStyle
StyleOfSlot(std::size_t slot)
{
    const std::size_t round = slot / seriesColours;
    return {colours[slot % seriesColours],
            dashes[(slot + round) % dashes.size()],
            markers[(slot + round) % markers.size()]};
}

std::vector<SeriesStyle>
StylesOf(const std::vector<std::string>& names)
{
    SlotsOfFigure taken;
    std::vector<std::optional<std::size_t>> slots(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        const auto known = KnownSlots().find(Plain(names[i]));
        if (known != KnownSlots().end() && !taken.Has(known->second))
        {
            slots[i] = known->second;
            taken.Take(known->second);
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        const auto known = SlotOfStartOf(names[i]);
        if (!slots[i] && known)
        {
            slots[i] = taken.TakeColourOf(*known);
        }
    }
    std::vector<SeriesStyle> styles;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        const auto slot = slots[i] ? *slots[i] : taken.TakeFrom(HashOf(Plain(names[i])));
        styles.push_back(StyleOfSlot(slot));
    }
    return styles;
}

std::string
BoxOf(std::string_view colour)
{
    return fmt::format("fs solid 1 border lc rgb 'black' lw 0.4 fc rgb '{}'", colour);
}

} // namespace geotrain
