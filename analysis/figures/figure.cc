// SPDX-License-Identifier: GPL-2.0-only
#include "figures/figure.h"

#include "trace/result-file.h"
#include "trace/trace-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

constexpr double pngDotsPerInch = 200;
constexpr double fontDotsPerInch = 96; // resolution at which gnuplot takes the points of a font

/// TemporaryFile removes its file at the end of its scope.
struct TemporaryFile
{
    explicit TemporaryFile(std::filesystem::path place)
        : path(std::move(place))
    {
    }

    ~TemporaryFile()
    {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::filesystem::path path;
};

/// Returns a gnuplot string of exactly these bytes. It escapes bytes that aren't plain, since
/// gnuplot 5.4 ends a string in single quotes too early when it begins with a doubled quote, and
/// runs backticks inside double quotes.
std::string
Literal(std::string_view text)
{
    constexpr std::string_view plain = " !#%&()*+,-./:;<=>?[]^_{|}~";
    std::string literal = "\"";
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = byte >= 0x80 || std::isalnum(byte) || plain.find(c) != plain.npos;
        literal += isPlain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
    }
    return literal + '"';
}

void
WriteScript(const std::filesystem::path& script,
            const std::string& terminal,
            const std::filesystem::path& output,
            const std::function<void(Gnuplot&)>& plot)
{
    try
    {
        Gnuplot commands(">" + script.string());
        commands << terminal << "set output " << Literal(output.string()) << "\nset format '%g'\n";
        plot(commands);
    }
    catch (const std::ios_base::failure&)
    {
        throw TraceError(script.string(), "cannot be written");
    }
}

/// Returns the first line of a file that is not empty.
std::string
FirstLineOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line) && line.find_first_not_of(" \t\r^") == std::string::npos)
    {
    }
    return line;
}

/// Returns this program's environment in UTC: the length of a PDF's date depends on the time zone.
std::vector<std::string>
EnvironmentInUtc()
{
    std::vector<std::string> variables{"TZ=UTC0"};
    for (char** variable = environ; *variable; ++variable)
    {
        if (std::string_view(*variable).substr(0, 3) != "TZ=")
        {
            variables.emplace_back(*variable);
        }
    }
    return variables;
}

/// Runs gnuplot on `script` with its messages in `log`.
void
RunGnuplot(const std::filesystem::path& script, const std::filesystem::path& log)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(
        &actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    std::string program = "gnuplot";
    std::string noUserSettings = "--default-settings";
    std::string argument = script.string();
    char* arguments[] = {program.data(), noUserSettings.data(), argument.data(), nullptr};
    auto variables = EnvironmentInUtc();
    std::vector<char*> environment;
    for (std::string& variable : variables)
    {
        environment.push_back(variable.data());
    }
    environment.push_back(nullptr);
    pid_t child = 0;
    const int failure =
        posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
    {
        throw TraceError(program,
                         std::string("must be installed (") + std::strerror(failure) + ")");
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    {
        const std::string message = FirstLineOf(log);
        throw TraceError(program, message.empty() ? "failed on " + script.string() : message);
    }
}

/// Overwrites the date that cairo writes into a PDF with spaces, so that the file's offsets stay
/// right.
void
RemoveCreationDate(const std::filesystem::path& pdf)
{
    std::fstream file(pdf, std::ios::binary | std::ios::in | std::ios::out);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t start = text.rfind("/CreationDate (");
    if (start == std::string::npos)
    {
        return;
    }
    const std::size_t length = text.find(')', start) + 1 - start;
    file.clear();
    file.seekp(static_cast<std::streamoff>(start));
    file << std::string(length, ' ');
}

std::string
Terminal(const std::string& extension, FigureSize size)
{
    if (extension == ".pdf")
    {
        return fmt::format(
            "set terminal pdfcairo noenhanced font 'DejaVu Sans,{}' size {}in,{}in fontscale {}\n",
            fontPoints,
            size.width / 72,
            size.height / 72,
            72 / fontDotsPerInch);
    }
    return fmt::format("set terminal pngcairo noenhanced font 'DejaVu Sans,{}' size {:.0f},{:.0f} "
                       "fontscale {:.4f} linewidth {:.4f}\n",
                       fontPoints,
                       size.width / 72 * pngDotsPerInch,
                       size.height / 72 * pngDotsPerInch,
                       pngDotsPerInch / fontDotsPerInch,
                       pngDotsPerInch / 72);
}

} // namespace

Box
MakeBox(double left, double right, double lower, double upper)
{
    return {(left + right) / 2, (lower + upper) / 2, left, right, lower, upper};
}

std::string
Quoted(std::string_view text)
{
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < ' '; }, ' ');
    return Literal(line);
}

std::string
Margins(FigureSize size, double left, double right, double top, double bottom)
{
    return fmt::format("set lmargin at screen {}\nset rmargin at screen {}\n"
                       "set tmargin at screen {}\nset bmargin at screen {}\n",
                       left / size.width,
                       1 - right / size.width,
                       1 - top / size.height,
                       bottom / size.height);
}

std::string
Legend(FigureSize size, std::size_t columns, const std::vector<LegendEntry>& entries)
{
    std::string legend;
    for (std::size_t index = 0; index < entries.size(); ++index)
    {
        const double column = static_cast<double>(index % columns);
        const double row = static_cast<double>(index / columns);
        const double x = 62 + column * (size.width - 62) / static_cast<double>(columns);
        const double y = size.height - legendRowPoints * (row + 0.8);
        legend += fmt::format(
            "set object rectangle from screen {}, screen {} to screen {}, screen {} {}\n",
            x / size.width,
            (y - entries[index].halfHeight) / size.height,
            (x + 12) / size.width,
            (y + entries[index].halfHeight) / size.height,
            entries[index].fill);
        legend += fmt::format("set label {} at screen {}, screen {} left font ',{}'\n",
                              Quoted(entries[index].title),
                              (x + 17) / size.width,
                              y / size.height,
                              fontPoints - 1);
    }
    return legend;
}

double
TickStep(double highest)
{
    const double power = std::pow(10, std::floor(std::log10(highest / 2)));
    const double steps = highest / 2 / power;
    return power * (steps >= 5 ? 5 : steps >= 2 ? 2 : 1);
}

std::vector<std::filesystem::path>
DrawFigure(const std::filesystem::path& stem,
           FigureSize size,
           const std::function<void(Gnuplot&)>& plot)
{
    std::vector<std::filesystem::path> files;
    for (const std::string extension : {".png", ".pdf"})
    {
        std::filesystem::path file = stem;
        file += extension;
        WriteIntoPlace(file,
                       [&](const std::filesystem::path& there)
                       {
                           // gnuplot takes a name that begins with "|" for a pipe, and with "-"
                           // for an option.
                           const auto beside = std::filesystem::absolute(there);
                           const TemporaryFile script(beside.string() + ".gp");
                           const TemporaryFile log(beside.string() + ".log");
                           WriteScript(script.path, Terminal(extension, size), beside, plot);
                           RunGnuplot(script.path, log.path);
                           if (extension == ".pdf")
                           {
                               RemoveCreationDate(beside);
                           }
                       });
        files.push_back(file);
    }
    return files;
}

} // namespace geotrain
