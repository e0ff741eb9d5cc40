// SPDX-License-Identifier: GPL-2.0-only
#include "units/quantity-parser.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

using Unit = std::pair<const char*, std::int64_t>;

// Each table runs from the largest unit to the smallest. The spelling that Format writes comes
// first.
constexpr std::array<Unit, 6> durationUnits{{{"h", 3600000000000},
                                             {"min", 60000000000},
                                             {"s", 1000000000},
                                             {"ms", 1000000},
                                             {"us", 1000},
                                             {"ns", 1}}};
constexpr std::array<Unit, 10> rateUnits{{{"Tbps", 1000000000000},
                                          {"Gbps", 1000000000},
                                          {"Mbps", 1000000},
                                          {"kbps", 1000},
                                          {"bps", 1},
                                          {"Tbit/s", 1000000000000},
                                          {"Gbit/s", 1000000000},
                                          {"Mbit/s", 1000000},
                                          {"kbit/s", 1000},
                                          {"bit/s", 1}}};
constexpr std::array<Unit, 9> sizeUnits{{{"TB", 1000000000000},
                                         {"GB", 1000000000},
                                         {"MB", 1000000},
                                         {"kB", 1000},
                                         {"B", 1},
                                         {"TiB", std::int64_t{1} << 40},
                                         {"GiB", std::int64_t{1} << 30},
                                         {"MiB", std::int64_t{1} << 20},
                                         {"KiB", std::int64_t{1} << 10}}};

template <std::size_t N>
std::int64_t
Parse(const std::string& text,
      const std::array<Unit, N>& units,
      const char* what,
      const char* smallest)
{
    const auto rule = std::string("must be ") + what;
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || !std::isfinite(number))
    {
        throw std::invalid_argument(rule);
    }
    std::string suffix(rest, text.data() + text.size());
    suffix.erase(0, suffix.find_first_not_of(' '));
    if (suffix.empty() && number == 0)
    {
        return 0;
    }
    for (const auto& [name, factor] : units)
    {
        if (suffix == name)
        {
            const double value = number * static_cast<double>(factor);
            if (std::abs(value) > 9e18)
            {
                throw std::invalid_argument("is too large");
            }
            if (value != 0 && std::abs(value) < 1)
            {
                throw std::invalid_argument(std::string("must be 0 or at least 1 ") + smallest);
            }
            return std::llround(value);
        }
    }
    throw std::invalid_argument(rule + (suffix.empty() ? "; it has no unit" : ""));
}

template <std::size_t N>
std::string
FormatWith(std::int64_t value, const std::array<Unit, N>& units)
{
    for (const auto& [name, factor] : units)
    {
        if (value != 0 && value % factor == 0)
        {
            return std::to_string(value / factor) + name;
        }
    }
    return "0";
}

} // namespace

Duration
ParseDuration(const std::string& text)
{
    return Duration::Nanoseconds(
        Parse(text, durationUnits, "a time with one of the units ns, us, ms, s, min, h", "ns"));
}

BitRate
ParseBitRate(const std::string& text)
{
    return BitRate::BitsPerSecond(
        Parse(text, rateUnits, "a rate with one of the units bps, kbps, Mbps, Gbps, Tbps", "bps"));
}

Bytes
ParseBytes(const std::string& text)
{
    return Bytes::Of(Parse(text,
                           sizeUnits,
                           "a size with one of the units B, kB, MB, GB, TB, KiB, MiB, GiB, TiB",
                           "B"));
}

std::string
ShareText(const std::string& text)
{
    const bool isShare = text.size() > 1 && text.back() == '%' &&
                         text.find_first_not_of("0123456789.") == text.size() - 1;
    return isShare ? text.substr(0, text.size() - 1) + "e-2" : text;
}

std::string
Format(Duration span)
{
    return FormatWith(span.ToNanoseconds(), durationUnits);
}

std::string
Format(BitRate rate)
{
    return FormatWith(rate.ToBitsPerSecond(), rateUnits);
}

std::string
Format(Bytes size)
{
    return FormatWith(size.Count(), sizeUnits);
}

} // namespace geotrain
