// SPDX-License-Identifier: GPL-2.0-only
#include "cli/man-pages.h"

#include "trace/result-file.h"

#include <fmt/format.h>

#include <string>

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

// A page: what --help prints, unfilled, and the exit codes.
std::string
Page(const std::string& name, const CLI::App& app, const std::string& help)
{
    return fmt::format(".TH {0} 1 \"\" \"geotrain\" \"User Commands\"\n.SH NAME\n{0} \\- {1}\n"
                       ".SH DESCRIPTION\n.nf\n{2}.fi\n{3}",
                       Roff(name),
                       Roff(app.get_description()),
                       Roff(help),
                       exitStatus);
}

} // namespace

void
WriteManPages(const CLI::App& app, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    WriteIntoPlace(folder / "geotrain.1", Page("geotrain", app, app.help()));
    for (const auto* verb : app.get_subcommands({}))
    {
        const auto name = "geotrain-" + verb->get_name();
        WriteIntoPlace(folder / (name + ".1"), Page(name, *verb, verb->help("geotrain")));
    }
}

} // namespace geotrain
