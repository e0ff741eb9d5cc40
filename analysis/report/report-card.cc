// SPDX-License-Identifier: GPL-2.0-only
#include "report/report-card.h"

#include "report/html.h"
#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

constexpr const char* howToReadCard =
    "<p>A number is a mean over seeds; ± is half of its 95 % interval (Student's t). It "
    "<b>passes</b> "
    "where its whole interval lies within the bounds of the reference. <b>Look</b> means that some "
    "of "
    "the interval lies outside: read the figures of the heading before you conclude. With one seed "
    "there is no interval, and the number itself is judged. A criterion without bounds gives the "
    "<b>number</b> alone. The bounds are those of the setting of each heading, and no standard's "
    "unless the reference says so. <b>Best</b> is the best of the heading's controls by the side "
    "of "
    "the bounds; <b>Linux, measured</b> is the kernel's TCP over the same path in real time "
    "(<code>geotrain live</code>).</p>\n";

std::string
VerdictText(Verdict verdict)
{
    switch (verdict)
    {
    case Verdict::Pass:
        return "<span class=\"pass\">pass</span>";
    case Verdict::Look:
        return "<span class=\"look\">look</span>";
    case Verdict::NumberOnly:
        return "number";
    default:
        return "<span class=\"none\">not run</span>";
    }
}

std::size_t
CountOf(const ReportCard& card, Verdict verdict)
{
    std::size_t count = 0;
    for (const auto& heading : card.headings)
    {
        count += static_cast<std::size_t>(std::count_if(heading.lines.begin(),
                                                        heading.lines.end(),
                                                        [verdict](const CardLine& line)
                                                        { return line.verdict == verdict; }));
    }
    return count;
}

std::string
CountsHtml(const ReportCard& card)
{
    const std::pair<Verdict, const char*> counted[] = {{Verdict::Pass, "criteria pass"},
                                                       {Verdict::Look, "need a look"},
                                                       {Verdict::NumberOnly, "are numbers alone"},
                                                       {Verdict::NotRun, "were not run"}};
    std::string html = "<ul class=\"cards\">\n";
    for (const auto& [verdict, text] : counted)
    {
        html += fmt::format("<li><b>{}</b><span>{}</span></li>\n", CountOf(card, verdict), text);
    }
    return html + "</ul>\n";
}

std::string
TableOfHeading(const CardHeading& heading)
{
    HtmlTable table;
    table.heads = {HtmlCell{"Criterion"},
                   HtmlCell{"Number", true},
                   HtmlCell{"TcpCubic", true},
                   HtmlCell{"Best"},
                   HtmlCell{"Linux, measured"},
                   HtmlCell{"Verdict"},
                   HtmlCell{"Reference"},
                   HtmlCell{"Source"}};
    for (const auto& line : heading.lines)
    {
        table.rows.push_back({HtmlCell{Escaped(line.what)},
                              HtmlCell{Escaped(line.number), true},
                              HtmlCell{Escaped(line.cubic), true},
                              HtmlCell{Escaped(line.best)},
                              HtmlCell{Escaped(line.kernel)},
                              HtmlCell{VerdictText(line.verdict)},
                              HtmlCell{Escaped(line.reference)},
                              HtmlCell{Escaped(line.source)}});
    }
    return table.Html() + fmt::format("<p>Figures and all numbers: {}.</p>\n",
                                      Linked(heading.folder + "/report.html", heading.folder));
}

} // namespace

std::string
CardFile(const std::string& name)
{
    std::string file = "card-" + name + ".html";
    std::replace(file.begin(), file.end(), ':', '-');
    return file;
}

void
WriteReportCard(const ReportCard& card, const std::filesystem::path& folder)
{
    ReportPage page(folder);
    page.AddQuestion("Report card of a congestion control", card.control);
    page.AddSection("In short", CountsHtml(card) + howToReadCard);
    for (const auto& heading : card.headings)
    {
        page.AddSectionOf(heading.folder, heading.title, TableOfHeading(heading));
    }
    page.AddHowToRepeat();
    page.Write(CardFile(card.name));
}

} // namespace geotrain
