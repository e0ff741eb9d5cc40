// SPDX-License-Identifier: GPL-2.0-only
#include "figures/figure.h"

#include "figures/gnuplot-run.h"
#include "figures/number-with-unit.h"
#include "trace/result-file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>

namespace geotrain
{

namespace
{

/// The terminals of a script. Sizes of fonts are points on paper in each: gnuplot's cairo takes
/// them at 96 dots per inch, and an SVG's pixel is 1/96 inch. The SVG's fonts grow by `fontscale`,
/// since gnuplot would set the labels below an axis too low with fonts in pixels. Lines and markers
/// are as large in a PNG as in a PDF, where a line of width 1 is half a point.
constexpr const char* terminals = R"(
font = "{font},{points}"
if (format eq "png") {{
  dpi = 200
  set terminal pngcairo noenhanced font font size int(width*dpi+0.5), int(height*dpi+0.5) fontscale dpi/96.0 linewidth dpi/72.0 pointscale dpi/72.0
}}
if (format eq "pdf") {{
  set terminal pdfcairo noenhanced font font size width inches, height inches fontscale 0.75 linewidth 2
}}
if (format eq "svg") {{
  set terminal svg noenhanced font font size int(width*96+0.5), int(height*96+0.5) fontscale 96/72.0 linewidth 96/72.0
}}
)";

/// Returns gnuplot's `set multiplot`, which writes the title once, at the top of the page.
std::string
Multiplot(const FigurePage& page, const std::optional<Panels>& panels)
{
    std::string command = "set multiplot";
    if (panels)
    {
        command += fmt::format(" layout {},{} margins screen {},{},{},{} spacing screen {},{}",
                               panels->rows,
                               panels->columns,
                               page.FromLeft(panels->left),
                               page.FromRight(panels->right),
                               page.FromBottom(panels->bottom),
                               page.FromTop(panels->top),
                               panels->columnGap / page.width,
                               panels->rowGap / page.height);
    }
    if (!page.title.empty())
    {
        command += fmt::format(" title {} font ',{}'", QuotedLines(page.title), titleFontPoints);
    }
    return command + "\n";
}

/// The head of a script: it draws the one `format` that is set, or else loads itself for each.
/// gnuplot opens a name that begins with "|" or "<" as a pipe, so that each begins with "./" or "/".
constexpr const char* scriptHead =
    R"(# Draws a figure of geotrain again: run gnuplot on this file. It writes PNG, PDF and SVG beside
# itself; gnuplot -e 'format="svg"' makes one alone. Edit what is below, or a copy, to restyle it.
self = exists("ARG0") && strlen(ARG0) ? ARG0 : {file}
self = self[1:1] eq "/" ? self : "./" . self
stem = strlen(self) > 3 && self[strlen(self)-2:] eq ".gp" ? self[1:strlen(self)-3] : self
if (!exists("format")) {{
  do for [format in "png pdf svg"] {{ load self }}
  exit
}}
reset
width = {width}  # inches
height = {height}
)";

std::string
TextOf(const FigureScript& script,
       const FigurePage& page,
       const std::optional<Panels>& panels,
       const std::string& name)
{
    std::string text = fmt::format(scriptHead,
                                   fmt::arg("file", Literal(name + ".gp")),
                                   fmt::arg("width", page.width / 72),
                                   fmt::arg("height", page.height / 72));
    text += fmt::format(terminals, fmt::arg("font", fontName), fmt::arg("points", fontPoints));
    text += "set output (exists(\"output\") ? output : stem . \".\" . format)\n"
            "set format '%g'\n\n";
    return text + script.Datablocks() + "\n" + Multiplot(page, panels) + script.Commands() +
           "unset multiplot\nunset output\n";
}

/// Removes what stands from the first `first` to the next `last` in a picture, or, where offsets in the
/// file have to stay, overwrites it with spaces.
void
RemovePart(const std::filesystem::path& picture,
           std::string_view first,
           std::string_view last,
           bool hasOffsets)
{
    std::ifstream file(picture, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(file), {}};
    const std::size_t from = content.find(first);
    const std::size_t to = from == std::string::npos ? from : content.find(last, from);
    if (to != std::string::npos)
    {
        const std::size_t length = to + last.size() - from;
        content.replace(from, length, hasOffsets ? length : 0, ' ');
        std::ofstream(picture, std::ios::binary) << content;
    }
}

/// Draws one format of the figure whose script is `script` into `picture`.
void
DrawPicture(const std::filesystem::path& script,
            const std::string& format,
            const std::filesystem::path& picture)
{
    WriteIntoPlace(picture,
                   [&](const std::filesystem::path& there)
                   {
                       // An absolute name can't be taken for an option or a pipe.
                       const auto beside = std::filesystem::absolute(there);
                       RunGnuplot(fmt::format("format = \"{}\"; output = {}",
                                              format,
                                              Literal(beside.string())),
                                  std::filesystem::absolute(script));
                       if (format == "pdf")
                       {
                           RemovePart(beside, "/CreationDate (", ")", true);
                       }
                       if (format == "svg") // browsers show its title as a hint
                       {
                           RemovePart(beside, "<title>", "</desc>\n", false);
                       }
                   });
}

} // namespace

std::string
Margins(const FigurePage& page, double left, double right, double top, double bottom)
{
    return fmt::format("set lmargin at screen {}\nset rmargin at screen {}\n"
                       "set tmargin at screen {}\nset bmargin at screen {}\n",
                       page.FromLeft(left),
                       page.FromRight(right),
                       page.FromTop(top),
                       page.FromBottom(bottom));
}

std::string
Frame()
{
    return fmt::format("unset key\nset border 3 lw {}\nset xtics nomirror out scale 0.6\n"
                       "set ytics nomirror out scale 0.6\nset grid ytics {}\n",
                       frameWidth,
                       gridStyle);
}

std::string
NamedTics(const char* axis, const std::vector<std::string>& names)
{
    std::vector<std::string> tics;
    for (const auto& name : names)
    {
        tics.push_back(fmt::format("{} {}", Quoted(name), tics.size()));
    }
    return fmt::format("set {}tics ({}) nomirror scale 0\n", axis, fmt::join(tics, ", "));
}

double
TickStep(double highest)
{
    const double power = std::pow(10, std::floor(std::log10(highest / 2)));
    const double steps = highest / 2 / power;
    return power * (steps >= 5 ? 5 : steps >= 2 ? 2 : 1);
}

std::string
LogAxis(const std::string& axis, double low, double high)
{
    constexpr double margin = 1.15; // beyond the outermost numbers
    const double left = low / margin;
    const double right = high * margin;
    const bool isShort = high < 100 * low;
    std::vector<double> ticks;
    for (double power = std::floor(std::log10(left)); power <= std::log10(right); ++power)
    {
        const double decade = std::pow(10, power);
        for (const double step : isShort ? std::vector<double>{1, 2, 5} : std::vector<double>{1})
        {
            if (step * decade >= left && step * decade <= right)
            {
                ticks.push_back(step * decade);
            }
        }
    }
    const auto texts = TextsOfNumbers(ticks);
    std::vector<std::string> tics;
    for (std::size_t i = 0; i < ticks.size(); ++i)
    {
        tics.push_back(fmt::format("'{}' {}", texts[i], ticks[i]));
    }
    return fmt::format("set logscale {0}\nset {0}range [{1:.4g}:{2:.4g}]\nset {0}tics ({3})\n",
                       axis,
                       left,
                       right,
                       fmt::join(tics, ", "));
}

std::vector<std::filesystem::path>
DrawFigure(const FigurePlace& place,
           const FigurePage& page,
           const std::function<void(FigureScript&)>& plot,
           const std::optional<Panels>& panels)
{
    if (!place.Offer())
    {
        return {};
    }
    FigureScript script;
    plot(script);
    const auto file = [&](const std::string& extension)
    { return std::filesystem::path(place.Path()) += extension; };
    WriteIntoPlace(file(".csv"), script.Csv());
    WriteIntoPlace(file(".gp"), TextOf(script, page, panels, place.Path().filename().string()));
    std::vector<std::filesystem::path> files;
    const auto& chosen = place.Formats();
    for (const auto& format : FigureChoices().formats)
    {
        // A picture of another format that the folder has would show other data beside these.
        const bool isChosen = std::find(chosen.begin(), chosen.end(), format) != chosen.end();
        if (isChosen || std::filesystem::exists(file("." + format)))
        {
            DrawPicture(file(".gp"), format, file("." + format));
            files.push_back(file("." + format));
        }
    }
    files.push_back(file(".csv"));
    files.push_back(file(".gp"));
    return files;
}

} // namespace geotrain
