// SPDX-License-Identifier: GPL-2.0-only
#include "cli/help-formatter.h"

#include "cli/terminal-width.h"
#include "comparison/text-table.h"

#include <algorithm>
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

/// Returns the name of an option and what it takes, in lines of at most `width` characters that end
/// after a space or a comma.
std::string
BrokenHead(const std::string& head, std::size_t width)
{
    const std::string indent(6, ' ');
    std::string lines;
    std::size_t length = 0; // of the last line
    for (std::size_t begin = 0; begin < head.size();)
    {
        const auto end = std::min(head.find_first_of(" ,", begin), head.size() - 1) + 1;
        const auto word = head.substr(begin, end - begin);
        if (length > 0 && length + word.size() > width)
        {
            lines.erase(lines.find_last_not_of(' ') + 1);
            lines += "\n" + indent;
            length = indent.size();
        }
        lines += word;
        length += word.size();
        begin = end;
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
HelpFormatter::make_option(const CLI::Option* option, bool isPositional) const
{
    const auto head = make_option_name(option, isPositional) + make_option_opts(option);
    constexpr std::size_t indent = 2; // of format_help()
    std::ostringstream text;
    CLI::detail::format_help(text,
                             BrokenHead(head, TableColumns() - indent),
                             make_option_desc(option),
                             get_column_width());
    return text.str();
}

std::string
HelpFormatter::make_subcommand(const CLI::App* app) const
{
    std::ostringstream text;
    const auto width = TableColumns() - get_column_width();
    CLI::detail::format_help(text,
                             app->get_display_name(true),
                             BrokenIntoLines(app->get_description(), width),
                             get_column_width());
    return text.str();
}

std::string
HelpFormatter::make_option_desc(const CLI::Option* option) const
{
    return BrokenIntoLines(option->get_description(), TableColumns() - get_column_width());
}

} // namespace geotrain
