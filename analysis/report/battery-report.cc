// SPDX-License-Identifier: GPL-2.0-only
#include "report/battery-report.h"

#include "report/html.h"
#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the names of the report cards in the folder, sorted.
std::vector<std::string>
CardsIn(const std::filesystem::path& folder)
{
    std::vector<std::string> cards;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const auto name = entry.path().filename().string();
        if (name.rfind("card-", 0) == 0 && entry.path().extension() == ".html")
        {
            cards.push_back(name);
        }
    }
    std::sort(cards.begin(), cards.end());
    return cards;
}

std::string
ContentsOf(const std::vector<BatteryPart>& parts)
{
    HtmlTable table;
    table.heads = {HtmlCell{"Heading"}, HtmlCell{"Question"}, HtmlCell{"Runs"}};
    for (const auto& part : parts)
    {
        table.rows.push_back({HtmlCell{Linked(part.folder + "/report.html", part.title)},
                              HtmlCell{Escaped(part.question)},
                              HtmlCell{Escaped(part.results)}});
    }
    return table.Html();
}

} // namespace

void
WriteBatteryReport(const std::string& title,
                   const std::vector<BatteryPart>& parts,
                   const std::filesystem::path& folder)
{
    ReportPage page(folder);
    page.AddQuestion(fmt::format("Battery of {} comparisons", parts.size()), title);
    page.AddSection("Headings", ContentsOf(parts));
    std::vector<std::string> cards;
    for (const auto& card : CardsIn(folder))
    {
        cards.push_back(Linked(card, card));
    }
    page.AddList("Report cards", cards, false);
    for (const auto& part : parts)
    {
        page.AddSectionOf(
            part.folder, part.title, fmt::format("<p>{}</p>\n", Escaped(part.question)));
    }
    page.AddHowToRepeat();
    page.Write();
}

} // namespace geotrain
