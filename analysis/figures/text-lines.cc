// SPDX-License-Identifier: GPL-2.0-only
#include "figures/text-lines.h"

#include "figures/drawable-text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double letterWidth = 0.55; // mean of DejaVu Sans, in sizes of the font

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
    double letters = 0;
    for (const auto& letter : DrawableLetters(text))
    {
        letters += letter.size() > 4 ? static_cast<double>(letter.size()) : 1; // "U+6771"
    }
    return letterWidth * points * letters;
}

double
WidestOf(const std::vector<std::string>& texts, double points)
{
    double widest = 0;
    for (const auto& text : texts)
    {
        widest = std::max(widest, TextWidth(text, points));
    }
    return widest;
}

std::string
Shortened(const std::string& word, double points, double width)
{
    const auto letters = DrawableLetters(word);
    std::string text = word;
    for (std::size_t kept = letters.size(); TextWidth(text, points) > width && kept > 2; --kept)
    {
        const auto head = letters.begin() + static_cast<std::ptrdiff_t>(kept / 2);
        const auto tail = letters.end() - static_cast<std::ptrdiff_t>((kept - 1) / 2);
        text = fmt::format(
            "{}...{}", fmt::join(letters.begin(), head, ""), fmt::join(tail, letters.end(), ""));
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
