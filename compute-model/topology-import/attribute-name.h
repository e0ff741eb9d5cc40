// SPDX-License-Identifier: GPL-2.0-only
// Knows the names and units by which exporters of graphs say the rate, delay and loss of a link:
// "bandwidth_gbps", "LinkSpeedRaw", "rtt (ms)", "10G", "40 ms", "1 %".
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace geotrain
{

/// LinkQuantity is what an attribute says of a link.
enum class LinkQuantity
{
    Rate,  ///< in bit/s
    Delay, ///< one way, in seconds
    Loss   ///< as a share of the packets
};

/// An AttributeMeaning is what an attribute's name says of its numbers.
struct AttributeMeaning
{
    LinkQuantity quantity = LinkQuantity::Rate;
    std::size_t rank = 0;       ///< of several names for a quantity, that of the least rank counts
    double factor = 1;          ///< one half for a round trip
    std::optional<double> unit; ///< in the quantity's own; nothing where the name has no unit
};

/// Returns the meaning of a name in any case and with any separators: "Link_Speed" and "linkspeed"
/// mean the same. A unit may stand behind it. Other names mean nothing.
std::optional<AttributeMeaning> AttributeMeaningOf(const std::string& name);

/// Returns a name in small letters and without separators. It leaves out the names of lists around
/// it: "coordinates.Lat" becomes "lat".
std::string PlainName(const std::string& name);

/// Returns a unit's size, or nothing where the text is no unit of the quantity. Prefixes are
/// decimal, in either case. A large B followed by a small letter or a slash means bytes.
std::optional<double> UnitOf(LinkQuantity quantity, const std::string& text);

/// A Measure is a number and the text behind it, both as they are written.
struct Measure
{
    double number = 0;
    std::string unit; ///< empty: the number stands alone
};

/// Returns nothing where the text doesn't begin with a finite number.
std::optional<Measure> ReadMeasure(const std::string& text);

/// Returns whether a text stands for a missing value: it is empty, "-", "nan", "none" or the like.
bool IsMissing(const std::string& text);

} // namespace geotrain
