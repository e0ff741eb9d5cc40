// SPDX-License-Identifier: GPL-2.0-only
#include "cli/man-pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace geotrain
{

namespace
{

const char* const exitStatus = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
The input is at fault; the message says where.
.TP
2
The simulation did not finish; the report says who waits for what.
.TP
3
An internal check failed; the message says which.
)";

// Text as roff takes it: no character of it is a command.
std::string
Roff(const std::string& text)
{
    std::string escaped;
    bool lineBegins = true;
    for (const char c : text)
    {
        if (lineBegins && (c == '.' || c == '\''))
        {
            escaped += "\\&";
        }
        escaped += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
        lineBegins = c == '\n';
    }
    return escaped;
}

// "--network packet|analytic", "--stages N".
std::string
NameAndValue(const CLI::Option& option)
{
    if (!option.nonpositional())
    {
        return fmt::format("\\fI{}\\fR", Roff(option.get_name(true)));
    }
    std::string names;
    for (const auto& name : option.get_snames())
    {
        names += fmt::format("\\fB\\-{}\\fR, ", Roff(name));
    }
    for (const auto& name : option.get_lnames())
    {
        names += fmt::format("\\fB\\-\\-{}\\fR, ", Roff(name));
    }
    names.resize(names.size() - 2);
    if (option.get_expected_max() == 0)
    {
        return names;
    }
    const auto type = option.get_type_name();
    const auto set = type.find('{');
    if (set == std::string::npos)
    {
        return names + (type.rfind("TEXT", 0) == 0 ? " \\fIVALUE\\fR" : " \\fIN\\fR");
    }
    auto values = type.substr(set + 1, type.find('}') - set - 1);
    std::replace(values.begin(), values.end(), ',', '|');
    return fmt::format("{} \\fI{}\\fR", names, Roff(values));
}

std::string
Synopsis(const CLI::App& verb)
{
    std::string arguments;
    for (const auto* option : verb.get_options())
    {
        if (option->get_required())
        {
            arguments += " " + NameAndValue(*option);
        }
        else if (option->get_positional())
        {
            arguments += " [" + NameAndValue(*option) + "]";
        }
    }
    return fmt::format(
        ".SH SYNOPSIS\n\\fBgeotrain {}\\fR{} [\\fIOPTION\\fR]...\n", verb.get_name(), arguments);
}

std::string
Options(const CLI::App& verb)
{
    std::string text = ".SH OPTIONS\n";
    for (const auto* option : verb.get_options())
    {
        const auto type = option->get_type_name();
        const auto bounds = type.find("in [");
        text += fmt::format(".TP\n{}\n{}{}\n",
                            NameAndValue(*option),
                            Roff(option->get_description()),
                            bounds == std::string::npos ? "" : Roff("; " + type.substr(bounds)));
    }
    return text;
}

// A closing text: paragraphs, and below "Examples:" commands, which are not filled.
std::string
Footer(const std::string& footer)
{
    const auto examples = footer.find("Examples:\n");
    std::istringstream notes(footer.substr(0, examples));
    std::string line;
    std::string text;
    bool begins = true; // a paragraph
    while (std::getline(notes, line))
    {
        text += line.empty() ? "" : (begins ? ".PP\n" : "") + Roff(line) + "\n";
        begins = line.empty();
    }
    text = text.empty() ? "" : ".SH NOTES\n" + text.substr(4);
    if (examples == std::string::npos)
    {
        return text;
    }
    text += ".SH EXAMPLES\n.nf\n";
    std::istringstream commands(footer.substr(footer.find('\n', examples) + 1));
    while (std::getline(commands, line))
    {
        text += Roff(CLI::detail::trim_copy(line)) + "\n";
    }
    return text + ".fi\n";
}

std::string
Head(const std::string& name, const std::string& description)
{
    return fmt::format(".TH {} 1 \"\" \"geotrain\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                       Roff(name),
                       Roff(name),
                       Roff(description));
}

std::string
VerbPage(const CLI::App& verb)
{
    return Head("geotrain-" + verb.get_name(), verb.get_description()) + Synopsis(verb) +
           Options(verb) + Footer(verb.get_footer()) + exitStatus +
           ".SH SEE ALSO\n.BR geotrain (1)\n";
}

std::string
ProgramPage(const CLI::App& app)
{
    std::string text = Head("geotrain", app.get_description());
    text += ".SH SYNOPSIS\n\\fBgeotrain\\fR \\fIVERB\\fR [\\fIOPTION\\fR]...\n.SH VERBS\n";
    std::string pages;
    for (const auto* verb : app.get_subcommands({}))
    {
        text +=
            fmt::format(".TP\n\\fB{}\\fR\n{}\n", verb->get_name(), Roff(verb->get_description()));
        pages +=
            fmt::format("{}.BR geotrain\\-{} (1)", pages.empty() ? "" : ",\n", verb->get_name());
    }
    return text + Options(app) + Footer(app.get_footer()) + exitStatus + ".SH SEE ALSO\n" + pages +
           "\n";
}

void
WritePage(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream file(path);
    file << text << std::flush;
    if (!file)
    {
        throw std::runtime_error(path.string() + ": can't be written");
    }
}

} // namespace

void
WriteManPages(const CLI::App& app, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    WritePage(folder / "geotrain.1", ProgramPage(app));
    for (const auto* verb : app.get_subcommands({}))
    {
        WritePage(folder / ("geotrain-" + verb->get_name() + ".1"), VerbPage(*verb));
    }
}

} // namespace geotrain
