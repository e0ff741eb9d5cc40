// SPDX-License-Identifier: GPL-2.0-only
#include "figures/number-with-unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

namespace geotrain
{

std::optional<NumberWithUnit>
ParseNumberWithUnit(const std::string& text)
{
    static const std::map<std::string, NumberWithUnit> units{
        {"ns", {1e-6, "ms"}},         {"us", {1e-3, "ms"}},       {"ms", {1, "ms"}},
        {"s", {1e3, "ms"}},           {"min", {6e4, "ms"}},       {"h", {3.6e6, "ms"}},
        {"bps", {1e-9, "Gbit/s"}},    {"kbps", {1e-6, "Gbit/s"}}, {"Mbps", {1e-3, "Gbit/s"}},
        {"Gbps", {1, "Gbit/s"}},      {"Tbps", {1e3, "Gbit/s"}},  {"B", {1e-6, "MB"}},
        {"kB", {1e-3, "MB"}},         {"MB", {1, "MB"}},          {"GB", {1e3, "MB"}},
        {"TB", {1e6, "MB"}},          {"KiB", {1.024e-3, "MB"}},  {"MiB", {1.048576, "MB"}},
        {"GiB", {1073.741824, "MB"}},
    };
    double number = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    if (parsed.ec != std::errc())
    {
        return std::nullopt;
    }
    const std::string unit(parsed.ptr, end);
    const bool isWord =
        std::all_of(unit.begin(), unit.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    const auto known = units.find(unit);
    if (known != units.end())
    {
        return NumberWithUnit{number * known->second.value, known->second.unit};
    }
    return isWord ? std::optional(NumberWithUnit{number, unit}) : std::nullopt;
}

std::vector<std::string>
TextsOfNumbers(const std::vector<double>& numbers)
{
    constexpr double leastPlain = 1e-3;
    const bool isPlain =
        std::all_of(numbers.begin(),
                    numbers.end(),
                    [](double number) { return number == 0 || std::abs(number) >= leastPlain; });
    std::vector<std::string> texts;
    for (const double number : numbers)
    {
        if (isPlain || number == 0)
        {
            texts.push_back(fmt::format("{:g}", number));
            continue;
        }
        const int exponent = static_cast<int>(std::floor(std::log10(std::abs(number)) + 1e-9));
        texts.push_back(fmt::format("{:.3g}e{}", number / std::pow(10, exponent), exponent));
    }
    return texts;
}

} // namespace geotrain
