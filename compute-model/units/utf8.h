// SPDX-License-Identifier: GPL-2.0-only
// Letters of texts in UTF-8 (RFC 3629), as libutf8proc reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace geotrain
{

/// A Letter is a code point and the bytes that it takes.
struct Letter
{
    std::int32_t code; ///< negative: the byte is not UTF-8
    std::size_t bytes;
};

/// Reads the letter at the start of `text`, which is not empty.
Letter FirstLetter(std::string_view text);

/// Returns the number of letters; a byte that is not UTF-8 counts as one.
std::size_t CountLetters(std::string_view text);

/// Returns the start of `text` that takes at most this many bytes, whole letters only.
std::string_view TakeBytes(std::string_view text, std::size_t bytes);

/// Returns the place of the first byte that is not UTF-8; npos where there is none.
std::size_t FindBrokenByte(std::string_view text);

/// Returns a code point as UTF-8; nothing where it is none.
std::string EncodeLetter(std::int32_t code);

} // namespace geotrain
