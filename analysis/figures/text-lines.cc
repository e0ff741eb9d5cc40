// SPDX-License-Identifier: GPL-2.0-only
#include "figures/text-lines.h"

#include "figures/drawable-text.h"

#include <cstddef>
#include <numeric>

namespace geotrain
{

namespace
{

/// Returns the width of a letter in units of the font's size; 0 for the further bytes of a letter
/// in UTF-8. Widths are means of DejaVu Sans over the letters of a class.
double
LetterWidth(char letter)
{
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte & 0xc0) == 0x80)
    {
        return 0;
    }
    constexpr std::string_view narrow = "ijl.,:;'|!I ()[]-/ft";
    constexpr std::string_view wide = "mwMW@%";
    if (narrow.find(letter) != narrow.npos)
    {
        return 0.34;
    }
    if (wide.find(letter) != wide.npos)
    {
        return 0.93;
    }
    return letter >= 'A' && letter <= 'Z' ? 0.68 : 0.61;
}

/// Splits `text` behind each place where a line may end.
std::vector<std::string>
WordsOf(const std::string& text)
{
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        words.back() += text[i];
        constexpr std::string_view ends = " ,-/_";
        const bool isLast = i + 1 == text.size();
        if (!isLast && ends.find(text[i]) != ends.npos && ends.find(text[i + 1]) == ends.npos)
        {
            words.emplace_back();
        }
    }
    return words;
}

std::string
WithoutLastSpace(std::string line)
{
    while (!line.empty() && line.back() == ' ')
    {
        line.pop_back();
    }
    return line;
}

} // namespace

double
TextWidth(std::string_view text, double points)
{
    double width = 0;
    for (const char letter : DrawableText(text))
    {
        width += LetterWidth(letter) * points;
    }
    return width;
}

std::string
Shortened(const std::string& word, double points, double width)
{
    std::vector<std::string> letters; // of UTF-8
    for (const char byte : word)
    {
        if ((static_cast<unsigned char>(byte) & 0xc0) != 0x80 || letters.empty())
        {
            letters.emplace_back();
        }
        letters.back() += byte;
    }
    std::string text = word;
    for (std::size_t kept = letters.size(); TextWidth(text, points) > width && kept > 2; --kept)
    {
        const auto head = letters.begin() + static_cast<std::ptrdiff_t>(kept / 2);
        const auto tail = letters.end() - static_cast<std::ptrdiff_t>((kept - 1) / 2);
        text = std::accumulate(letters.begin(), head, std::string()) + "..." +
               std::accumulate(tail, letters.end(), std::string());
    }
    return text;
}

std::vector<std::string>
WrappedText(const std::string& text, double points, double width)
{
    std::vector<std::string> lines;
    std::string line;
    for (const auto& whole : WordsOf(text))
    {
        const auto word = TextWidth(WithoutLastSpace(whole), points) > width
                              ? Shortened(whole, points, width)
                              : whole;
        if (!line.empty() && TextWidth(WithoutLastSpace(line + word), points) > width)
        {
            lines.push_back(WithoutLastSpace(line));
            line.clear();
        }
        line += word;
    }
    if (!line.empty())
    {
        lines.push_back(WithoutLastSpace(line));
    }
    return lines;
}

} // namespace geotrain
