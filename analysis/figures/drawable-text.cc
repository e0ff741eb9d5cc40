// SPDX-License-Identifier: GPL-2.0-only
#include "figures/drawable-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace geotrain
{

namespace
{

/// A Range is letters from `first` to `last`.
struct Range
{
    std::uint32_t first;
    std::uint32_t last;
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

/// A Letter is a code point and the bytes that it takes; of bytes that are no UTF-8, 0xfffd and 1.
struct Letter
{
    std::uint32_t code;
    std::size_t bytes;
};

/// Reads the letter at the start of `text`, which is not empty.
Letter
FirstOf(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::uint32_t lead = byte(0);
    const std::size_t bytes = lead < 0x80   ? 1
                              : lead < 0xc2 ? 0
                              : lead < 0xe0 ? 2
                              : lead < 0xf0 ? 3
                              : lead < 0xf5 ? 4
                                            : 0;
    if (bytes == 0 || bytes > text.size())
    {
        return {0xfffd, 1};
    }
    std::uint32_t code = bytes == 1 ? lead : lead & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i)
    {
        if ((byte(i) & 0xc0) != 0x80)
        {
            return {0xfffd, 1};
        }
        code = code << 6 | (byte(i) & 0x3fU);
    }
    return {code, bytes};
}

} // namespace

std::string
DrawableText(std::string_view text)
{
    std::string drawable;
    while (!text.empty())
    {
        const auto [code, bytes] = FirstOf(text);
        const bool isInFont = std::any_of(std::begin(ranges),
                                          std::end(ranges),
                                          [code = code](const Range& range)
                                          { return code >= range.first && code <= range.last; });
        if (isInFont)
        {
            drawable += text.substr(0, bytes);
        }
        else
        {
            drawable += code == 0xfffd ? "?" : fmt::format("U+{:04X}", code);
        }
        text.remove_prefix(bytes);
    }
    return drawable;
}

} // namespace geotrain
