// SPDX-License-Identifier: GPL-2.0-only
#include "figures/drawable-text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utf8proc.h>

namespace geotrain
{

namespace
{

/// A Range is letters from `first` to `last`.
struct Range
{
    utf8proc_int32_t first;
    utf8proc_int32_t last;
};

/// Ranges of which DejaVu Sans 2.37 has every letter (`fc-query` on DejaVuSans.ttf), for the scripts
/// that names of places and systems are written in.
constexpr Range ranges[] = {
    {0x0, 0x7e},      {0xa0, 0x2e9},    {0x300, 0x34f},   {0x384, 0x38a},   {0x38e, 0x3a1},
    {0x3a3, 0x525},   {0x531, 0x556},   {0x559, 0x55f},   {0x561, 0x587},   {0x5d0, 0x5ea},
    {0x621, 0x63a},   {0x640, 0x655},   {0x660, 0x670},   {0x679, 0x6bf},   {0x6f0, 0x6f9},
    {0x10a0, 0x10c5}, {0x10d0, 0x10fc}, {0x1e00, 0x1efb}, {0x1f00, 0x1f15}, {0x1f20, 0x1f45},
    {0x1f80, 0x1fb4}, {0x2000, 0x2064}, {0x2074, 0x208e}, {0x20a0, 0x20b5}, {0x20b8, 0x20ba},
    {0x210b, 0x2149}, {0x2150, 0x2185}, {0x2190, 0x2311}, {0x2460, 0x2469}, {0x2500, 0x269c},
    {0x2758, 0x275e}, {0x2761, 0x2794}, {0x2798, 0x27af},
};

} // namespace

std::vector<std::string>
DrawableLetters(std::string_view text)
{
    std::vector<std::string> letters;
    while (!text.empty())
    {
        utf8proc_int32_t code = 0;
        const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                            static_cast<utf8proc_ssize_t>(text.size()),
                                            &code);
        const std::size_t taken = bytes > 0 ? static_cast<std::size_t>(bytes) : 1;
        const bool isInFont = std::any_of(std::begin(ranges),
                                          std::end(ranges),
                                          [code](const Range& range)
                                          { return code >= range.first && code <= range.last; });
        letters.push_back(bytes <= 0 ? "?"
                          : isInFont ? std::string(text.substr(0, taken))
                                     : fmt::format("U+{:04X}", code));
        text.remove_prefix(taken);
    }
    return letters;
}

std::string
DrawableText(std::string_view text)
{
    return fmt::format("{}", fmt::join(DrawableLetters(text), ""));
}

} // namespace geotrain
