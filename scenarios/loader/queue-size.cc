// SPDX-License-Identifier: GPL-2.0-only
#include "loader/queue-size.h"

#include "units/quantity-parser.h"

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace geotrain
{

namespace
{

constexpr const char* sizeRule =
    "must be a queue size: a number and bdp (or rtt), packets, or one of the units B, kB, MB, GB";

WanQueueSize
Checked(WanQueueSize::Unit unit, double value, double greatest)
{
    if (!(value > 0))
    {
        throw std::invalid_argument("must be > 0");
    }
    if (!(value <= greatest))
    {
        throw std::invalid_argument("is too large for a queue");
    }
    return {unit, value};
}

double
BytesOf(const std::string& text)
{
    try
    {
        return static_cast<double>(ParseBytes(text).Count());
    }
    catch (const std::invalid_argument&)
    {
        throw std::invalid_argument(sizeRule);
    }
}

} // namespace

WanQueueSize
ParseQueueSize(const std::string& text)
{
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string unit(rest, text.data() + text.size());
    unit.erase(0, unit.find_first_not_of(' '));
    if (error == std::errc{} && (unit == "bdp" || unit == "BDP" || unit == "rtt" || unit == "RTT"))
    {
        return Checked(WanQueueSize::Unit::BandwidthDelayProducts, number, 1000);
    }
    if (error == std::errc{} && (unit == "packets" || unit + "s" == "packets"))
    {
        if (std::floor(number) != number)
        {
            throw std::invalid_argument("must be a whole number of packets");
        }
        return Checked(WanQueueSize::Unit::Packets, number, 1e9);
    }
    return Checked(WanQueueSize::Unit::Bytes, BytesOf(text), 1e12);
}

} // namespace geotrain
