// SPDX-License-Identifier: GPL-2.0-only
#include "units/utf8.h"

#include <utf8proc.h>

namespace geotrain
{

Letter
FirstLetter(std::string_view text)
{
    utf8proc_int32_t code = 0;
    const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                        static_cast<utf8proc_ssize_t>(text.size()),
                                        &code);
    return bytes > 0 ? Letter{code, static_cast<std::size_t>(bytes)} : Letter{-1, 1};
}

std::size_t
CountLetters(std::string_view text)
{
    std::size_t letters = 0;
    for (; !text.empty(); ++letters)
    {
        text.remove_prefix(FirstLetter(text).bytes);
    }
    return letters;
}

std::string_view
TakeBytes(std::string_view text, std::size_t bytes)
{
    std::size_t end = 0;
    while (end < text.size() && end + FirstLetter(text.substr(end)).bytes <= bytes)
    {
        end += FirstLetter(text.substr(end)).bytes;
    }
    return text.substr(0, end);
}

std::size_t
FindBrokenByte(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();)
    {
        const Letter letter = FirstLetter(text.substr(at));
        if (letter.code < 0)
        {
            return at;
        }
        at += letter.bytes;
    }
    return std::string_view::npos;
}

std::string
EncodeLetter(std::int32_t code)
{
    char bytes[4];
    const auto count = utf8proc_encode_char(code, reinterpret_cast<utf8proc_uint8_t*>(bytes));
    return std::string(bytes, static_cast<std::size_t>(count));
}

} // namespace geotrain
