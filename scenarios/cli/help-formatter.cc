// SPDX-License-Identifier: GPL-2.0-only
#include "cli/help-formatter.h"

#include "cli/terminal-width.h"
#include "comparison/text-table.h"

#include <sstream>
#include <vector>

namespace geotrain
{

namespace
{

/// Returns the parts of a command; each but the first begins with " --".
std::vector<std::string>
OptionsApart(const std::string& command)
{
    std::vector<std::string> parts(1);
    bool isQuoted = false;
    for (std::size_t i = 0; i < command.size(); ++i)
    {
        isQuoted = isQuoted != (command[i] == '\'');
        if (!isQuoted && command.compare(i, 3, " --") == 0)
        {
            parts.emplace_back();
        }
        parts.back() += command[i];
    }
    return parts;
}

std::string
BrokenCommand(const std::string& command, std::size_t width)
{
    if (command.size() <= width)
    {
        return command;
    }
    const std::string goesOn = " \\";
    const auto parts = OptionsApart(command);
    std::string lines = parts.front();
    std::size_t length = lines.size(); // of the last line
    for (std::size_t i = 1; i < parts.size(); ++i)
    {
        const bool isLast = i + 1 == parts.size();
        const auto needed = length + parts[i].size() + (isLast ? 0 : goesOn.size());
        const auto start = needed <= width ? "" : goesOn + "\n     ";
        length = needed <= width ? length + parts[i].size() : 5 + parts[i].size();
        lines += start + parts[i];
    }
    return lines;
}

} // namespace

std::string
FilledFooter(const std::string& footer, std::size_t width)
{
    std::string filled;
    std::string paragraph;
    const auto endParagraph = [&]
    {
        filled += paragraph.empty() ? "" : BrokenIntoLines(paragraph, width) + "\n";
        paragraph.clear();
    };
    std::istringstream lines(footer);
    for (std::string line; std::getline(lines, line);)
    {
        if (!line.empty() && line.front() != ' ')
        {
            paragraph += line + " ";
            continue;
        }
        endParagraph();
        filled += BrokenCommand(line, width) + "\n";
    }
    endParagraph();
    return filled;
}

std::string
HelpFormatter::make_description(const CLI::App* app) const
{
    return FilledFooter(CLI::Formatter::make_description(app), TableColumns());
}

std::string
HelpFormatter::make_footer(const CLI::App* app) const
{
    return FilledFooter(app->get_footer(), TableColumns());
}

std::string
HelpFormatter::make_option_desc(const CLI::Option* option) const
{
    return BrokenIntoLines(option->get_description(), TableColumns() - get_column_width());
}

} // namespace geotrain
