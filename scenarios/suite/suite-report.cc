// SPDX-License-Identifier: GPL-2.0-only
#include "suite/suite-report.h"

#include "report/html.h"
#include "report/page.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns whether the figure is drawn in `folder`, in a format of pages.
bool
IsDrawnIn(const SuiteFigure& figure, const fs::path& folder, const char* extension)
{
    return fs::exists(folder / "figures" / (figure.name + extension));
}

/// Returns links to the tables of the sets of runs that the figure shows.
std::string
RunLinks(const SuiteFigure& figure)
{
    std::string links;
    for (const auto& set : figure.runSets)
    {
        links += (links.empty() ? " Runs: " : ", ") +
                 Linked(fmt::format("runs/{}/comparison.csv", set), set);
    }
    return links.empty() ? "" : links + ".";
}

} // namespace

std::string
SuiteIndex(const Suite& suite, const fs::path& folder)
{
    std::string text = fmt::format("# Figures of the suite {}\n", suite.name);
    for (const auto& figure : suite.figures)
    {
        if (!IsDrawnIn(figure, folder, ".png"))
        {
            continue;
        }
        text += fmt::format("\n## {0}\n\n![{1}](figures/{0}.png)\n\n**{1}** {2}\n",
                            figure.name,
                            figure.question,
                            figure.reading);
        for (const auto& set : figure.runSets)
        {
            text += fmt::format("\nRuns: [runs/{0}](runs/{0}/comparison.csv)\n", set);
        }
    }
    return text;
}

void
WriteSuiteReport(const Suite& suite, const fs::path& folder)
{
    ReportPage page(folder);
    page.AddQuestion("Figures of a suite, and how to make them again",
                     fmt::format("The suite {}", suite.name));
    for (const auto& figure : suite.figures)
    {
        if (IsDrawnIn(figure, folder, ".svg"))
        {
            page.AddFigure(
                figure.name, figure.question, Escaped(figure.reading) + RunLinks(figure));
        }
    }
    page.AddHowToRepeat();
    page.Write();
}

} // namespace geotrain
