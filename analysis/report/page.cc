// SPDX-License-Identifier: GPL-2.0-only
#include "report/page.h"

#include "report/command-to-repeat.h"
#include "report/figure-list.h"
#include "report/head-comment.h"
#include "report/html.h"
#include "report/inline-svg.h"
#include "report/page-style.h"
#include "trace/result-file.h"
#include "trace/result-folder.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Largest picture that is put into a page as SVG; a browser takes seconds for more.
constexpr std::uintmax_t largestSvg = 6 << 20;

std::string
TextOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns links to the files of a figure beside its SVG. `stem` is its path in `folder` without
/// extension.
std::string
FileLinks(const fs::path& folder, const std::string& stem)
{
    std::string links;
    for (const auto& [extension, text] :
         std::initializer_list<std::pair<const char*, const char*>>{{".pdf", "PDF"},
                                                                    {".svg", "SVG"},
                                                                    {".png", "PNG"},
                                                                    {".csv", "data"},
                                                                    {".gp", "script"}})
    {
        const auto file = stem + extension;
        if (fs::exists(folder / file))
        {
            links += (links.empty() ? "" : ", ") + Linked(file, text);
        }
    }
    return links;
}

} // namespace

ReportPage::ReportPage(fs::path folder)
    : m_folder(std::move(folder))
{
}

void
ReportPage::AddQuestion(const std::string& what, const std::string& name)
{
    const auto comment = HeadCommentOf(TextOf(m_folder / "scenario.textproto"));
    m_title = comment.question.empty() ? name : comment.question;
    m_body += fmt::format("<header>\n<p class=\"what\">{}</p>\n<h1>{}</h1>\n</header>\n",
                          Escaped(what),
                          Escaped(m_title));
    std::string html;
    for (const auto& paragraph : comment.paragraphs)
    {
        html += fmt::format(paragraph.drawing ? "<pre>{}</pre>\n" : "<p>{}</p>\n",
                            Escaped(paragraph.text));
    }
    if (!html.empty())
    {
        AddFolded("About this scenario", html);
    }
}

void
ReportPage::AddSection(const std::string& title, const std::string& html)
{
    m_body += fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", Escaped(title), html);
}

void
ReportPage::AddFolded(const std::string& title, const std::string& html)
{
    m_body += fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", Escaped(title), html);
}

void
ReportPage::AddList(const std::string& title, const std::vector<std::string>& items, bool warnings)
{
    if (items.empty())
    {
        return;
    }
    std::string html = warnings ? "<div class=\"warnings\"><ul>\n" : "<ul>\n";
    for (const auto& item : items)
    {
        html += "<li>" + item + "</li>\n";
    }
    AddSection(title, html + (warnings ? "</ul></div>\n" : "</ul>\n"));
}

void
ReportPage::AddFigures()
{
    const auto html = FiguresOf("");
    if (!html.empty())
    {
        AddSection("Figures", html);
    }
}

void
ReportPage::AddSectionOf(const std::string& below,
                         const std::string& title,
                         const std::string& html)
{
    AddSection(title, html + FiguresOf(below + "/"));
}

void
ReportPage::AddFigure(const std::string& stem, const std::string& title, const std::string& html)
{
    const auto path = "figures/" + stem;
    AddSection(title, FigureHtml(path, title, html));
}

/// Returns the figure with this path in the folder, without its picture where that is too large or is
/// none of gnuplot's. A phone shows the picture as wide as its screen, and a tap makes it larger.
std::string
ReportPage::FigureHtml(const std::string& stem,
                       const std::string& title,
                       const std::string& caption)
{
    const auto svg = m_folder / (stem + ".svg");
    const auto prefix = fmt::format("f{}-", ++m_figures);
    const bool isThere = fs::exists(svg) && fs::file_size(svg) <= largestSvg;
    const auto picture = isThere ? InlineSvg(TextOf(svg), prefix, title) : std::string();
    return fmt::format(
        "<figure>\n{}<figcaption>{} ({}){}</figcaption>\n</figure>\n",
        picture.empty() ? "" : "<label><input type=\"checkbox\">" + picture + "</label>\n",
        caption,
        FileLinks(m_folder, stem),
        picture.empty() ? "" : " <span class=\"hint\">A tap enlarges it.</span>");
}

std::string
ReportPage::FiguresOf(const std::string& below)
{
    std::string html;
    for (const auto& figure : FiguresIn(m_folder / (below + "figures")))
    {
        html +=
            FigureHtml(below + "figures/" + figure.stem,
                       figure.title,
                       fmt::format("<b>{}.</b> {}", Escaped(figure.title), Escaped(figure.shows)));
    }
    return html;
}

void
ReportPage::AddHowToRepeat(bool isLive)
{
    const auto origin = OriginOf(TextOf(m_folder / "run-info.json"));
    std::string html;
    if (!origin.command.empty())
    {
        html += fmt::format("<pre class=\"text\">{}</pre>\n", Escaped(origin.command));
    }
    html += isLive ? "<p>A repetition gives other times, since a live run is by the wall clock. "
                   : "<p>The same scenario and seed give the same bytes in <code>trace.pb</code> "
                     "and <code>summary.csv</code>. ";
    html +=
        "<code>run-info.json</code> has the full command line and the versions of what it ran on";
    html += origin.version.empty() ? "" : ", geotrain " + Escaped(origin.version) + " among them";
    html += ".</p>\n";
    if (IsRunFolder(m_folder) && !isLive)
    {
        html +=
            "<p><code>geotrain run --again DIR</code> with this folder repeats the run and says "
            "whether the bytes agree.</p>\n";
    }
    AddSection("How to repeat it", html);
}

void
ReportPage::AddScenario(const std::string& title)
{
    const auto text = TextOf(m_folder / "scenario.textproto");
    if (!text.empty())
    {
        AddFolded(title, "<pre class=\"text\">" + Escaped(text) + "</pre>\n");
    }
}

void
ReportPage::Write(const std::string& file) const
{
    WriteIntoPlace(
        m_folder / file,
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "style-src 'unsafe-inline'; img-src data:\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
                    Escaped(m_title),
                    pageStyle,
                    m_body));
}

} // namespace geotrain
