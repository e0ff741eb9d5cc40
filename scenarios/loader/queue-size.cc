// SPDX-License-Identifier: GPL-2.0-only
#include "loader/queue-size.h"

#include "units/quantity-parser.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace geotrain
{

namespace
{

constexpr const char* sizeRule =
    "must be a queue size: a number and bdp, packets, or one of the units B, kB, MB, GB";

/// Returns the number before `unit` where `text` ends with that unit.
std::optional<double>
NumberBefore(const std::string& unit, const std::string& text)
{
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string suffix(rest, text.data() + text.size());
    suffix.erase(0, suffix.find_first_not_of(' '));
    if (error != std::errc{} || suffix != unit)
    {
        return std::nullopt;
    }
    return number;
}

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
    if (const auto products = NumberBefore("bdp", text))
    {
        return Checked(WanQueueSize::Unit::BandwidthDelayProducts, *products, 1000);
    }
    for (const char* unit : {"packets", "packet"})
    {
        const auto packets = NumberBefore(unit, text);
        if (packets && std::floor(*packets) != *packets)
        {
            throw std::invalid_argument("must be a whole number of packets");
        }
        if (packets)
        {
            return Checked(WanQueueSize::Unit::Packets, *packets, 1e9);
        }
    }
    return Checked(WanQueueSize::Unit::Bytes, BytesOf(text), 1e12);
}

} // namespace geotrain
