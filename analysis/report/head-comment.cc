// SPDX-License-Identifier: GPL-2.0-only
#include "report/head-comment.h"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <sstream>

namespace geotrain
{

namespace
{

using Lines = std::vector<std::string>;

/// Returns the paragraphs of the comment, without `#` and one space before each line.
std::vector<Lines>
ParagraphsOf(std::string_view scenario)
{
    std::vector<Lines> paragraphs(1);
    std::istringstream lines{std::string(scenario)};
    std::string line;
    while (std::getline(lines, line) && line.rfind('#', 0) == 0)
    {
        line.erase(0, line.rfind("# ", 0) == 0 ? 2 : 1);
        if (line.find_first_not_of(" \t\r") != std::string::npos)
        {
            paragraphs.back().push_back(line);
        }
        else if (!paragraphs.back().empty())
        {
            paragraphs.emplace_back();
        }
    }
    return paragraphs;
}

/// Returns whether the lines are a drawing or a table: one of them is indented, or has several
/// spaces in a row.
bool
IsDrawing(const Lines& lines)
{
    return std::any_of(lines.begin(),
                       lines.end(),
                       [](const std::string& line) {
                           return line.rfind("  ", 0) == 0 || line.find("   ") != std::string::npos;
                       });
}

/// Returns the length of the first sentence: up to a full stop or question mark before a space.
std::size_t
FirstSentenceLength(const std::string& text)
{
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const bool ends = text[i] == '.' || text[i] == '?' || text[i] == '!';
        if (ends && (i + 1 == text.size() || text[i + 1] == ' '))
        {
            return i + 1;
        }
    }
    return text.size();
}

} // namespace

HeadComment
HeadCommentOf(std::string_view scenario)
{
    HeadComment comment;
    for (const auto& lines : ParagraphsOf(scenario))
    {
        if (lines.empty())
        {
            continue;
        }
        const bool drawing = IsDrawing(lines);
        auto text = boost::join(lines, drawing ? "\n" : " ");
        if (comment.question.empty() && !drawing)
        {
            const auto length = FirstSentenceLength(text);
            comment.question = text.substr(0, length);
            text.erase(0, std::min(text.size(), length + 1));
        }
        if (!text.empty())
        {
            comment.paragraphs.push_back({text, drawing});
        }
    }
    return comment;
}

} // namespace geotrain
