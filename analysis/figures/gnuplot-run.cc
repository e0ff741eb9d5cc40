// SPDX-License-Identifier: GPL-2.0-only
#include "figures/gnuplot-run.h"

#include "figures/figure-script.h"
#include "trace/trace-error.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <gnuplot-iostream.h>
#include <memory>

namespace geotrain
{

namespace
{

/// The shell's command: no text in it is of a user. A PDF's size depends on the time zone. What a gnuplot
/// that has ended leaves unread is read, since writing to nobody would end this program.
constexpr const char* gnuplotCommand =
    "TZ=UTC0 gnuplot --default-settings 2>{0} || "
    "{{ [ $? = 127 ] && echo 'must be installed' >{0}; while read -r rest; do :; done; }}";

} // namespace

std::string
RunGnuplot(const std::string& commands, const std::filesystem::path& script)
{
    // A file without a name takes the messages, so that none has to be quoted.
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> messages(std::tmpfile(), std::fclose);
    if (!messages)
    {
        throw TraceError("gnuplot", "needs a temporary file for its messages");
    }
    const std::string file = fmt::format("/dev/fd/{}", fileno(messages.get()));
    {
        gnuplotio::Gnuplot gnuplot(fmt::format(gnuplotCommand, file));
        gnuplot << commands << "\nload " << Literal(script.string())
                << "\nprint GPVAL_ERRNO ? GPVAL_ERRMSG : \"drawn\"\n";
    } // waits until gnuplot has ended
    std::ifstream lines(file);
    std::string warnings;
    std::string last;
    for (std::string line; std::getline(lines, line);)
    {
        if (line.find_first_not_of(" \t\r^") != std::string::npos)
        {
            warnings += last;
            last = line;
        }
    }
    if (last != "drawn")
    {
        throw TraceError("gnuplot", last.empty() ? "failed on " + script.string() : last);
    }
    return warnings;
}

} // namespace geotrain
