// SPDX-License-Identifier: GPL-2.0-only
// Tests the parts that all reports have in common, and the pages of a battery and of a report card.
#include "report/page.h"

#include "expect-text.h"
#include "report/battery-report.h"
#include "report/report-card.h"
#include "result-folders.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

namespace fs = std::filesystem;

class PageTest : public ::testing::Test
{
  protected:
    /// Returns what the page has between <body> and </body>.
    std::string Written(const ReportPage& page) const
    {
        page.Write();
        const auto all = Contents(m_folder / "report.html");
        const auto begin = all.find("<body>\n") + 7;
        return all.substr(begin, all.find("</body>") - begin);
    }

    void Figure(const std::string& name) const
    {
        WriteText(m_folder / name, "<svg width=\"5\"><path id=\"p\"/></svg>");
    }

    TemporaryFolder m_folder;
    ReportPage m_page{m_folder.Path()};
};

TEST_F(PageTest, APageAllowsNothingButItsOwnStyleAndPictures)
{
    m_page.AddQuestion("what", "name");
    m_page.Write();
    const auto page = Contents(m_folder / "report.html");
    EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
    ExpectHas(page,
              {"content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"",
               "<meta charset=\"utf-8\">",
               "<html lang=\"en\">",
               "<title>name</title>",
               "</html>\n"});
}

TEST_F(PageTest, TheQuestionIsTheScenariosOrElseTheName)
{
    m_page.AddQuestion("Run of x", "x <y>");
    EXPECT_EQ(Written(m_page),
              "<header>\n<p class=\"what\">Run of x</p>\n<h1>x &lt;y&gt;</h1>\n</header>\n");
    WriteText(m_folder / "scenario.textproto", "# Is it far? No.\n\nname: \"x\"\n");
    ReportPage page(m_folder.Path());
    page.AddQuestion("Run of x", "x");
    ExpectHas(Written(page),
              {"<h1>Is it far?</h1>", "<summary>About this scenario</summary>\n<p>No.</p>"});
}

TEST_F(PageTest, AListWithoutItemsIsNoSection)
{
    m_page.AddList("Warnings", {}, true);
    EXPECT_EQ(Written(m_page), "");
    m_page.AddList("Warnings", {"one", "two"}, true);
    EXPECT_EQ(Written(m_page),
              "<section>\n<h2>Warnings</h2>\n<div class=\"warnings\"><ul>\n<li>one</li>\n"
              "<li>two</li>\n</ul></div>\n</section>\n");
}

TEST_F(PageTest, TitlesAreEscapedAndHtmlIsKept)
{
    m_page.AddSection("a < b", "<p>kept</p>\n");
    m_page.AddFolded("c & d", "<p>too</p>\n");
    EXPECT_EQ(Written(m_page),
              "<section>\n<h2>a &lt; b</h2>\n<p>kept</p>\n</section>\n"
              "<details>\n<summary>c &amp; d</summary>\n<p>too</p>\n</details>\n");
}

TEST_F(PageTest, FiguresHaveLinksToTheFilesThatAreThere)
{
    Figure("figures/timeline.svg");
    WriteText(m_folder / "figures/timeline.csv", "");
    WriteText(m_folder / "figures/timeline.gp", "");
    WriteText(m_folder / "figures/timeline.txt", "");
    m_page.AddFigures();
    const auto body = Written(m_page);
    ExpectHas(body,
              {"<b>Timeline.</b>",
               "<a href=\"./figures/timeline.svg\">SVG</a>, "
               "<a href=\"./figures/timeline.csv\">data</a>, "
               "<a href=\"./figures/timeline.gp\">script</a>"});
    ExpectLacks(body, {">PDF<", ">PNG<", "timeline.txt"});
}

TEST_F(PageTest, PicturesShareNoIds)
{
    Figure("figures/a.svg");
    Figure("figures/b.svg");
    m_page.AddFigures();
    ExpectHas(Written(m_page), {"id=\"f1-p\"", "id=\"f2-p\""});
}

TEST_F(PageTest, APictureThatIsTooLargeIsALinkAlone)
{
    WriteText(m_folder / "figures/a.svg",
              "<svg>" + std::string(7 << 20, ' ') + "</svg>"); // the most is 6 MiB
    m_page.AddFigures();
    const auto body = Written(m_page);
    ExpectHas(body, {"<a href=\"./figures/a.svg\">SVG</a>"});
    ExpectLacks(body, {"<svg"});
}

TEST_F(PageTest, WithoutFiguresThereIsNoSection)
{
    m_page.AddFigures();
    fs::create_directories(m_folder / "figures");
    m_page.AddFigures();
    EXPECT_EQ(Written(m_page), "");
}

TEST_F(PageTest, OneFigureHasItsTextBelow)
{
    Figure("figures/own.svg");
    m_page.AddFigure("own", "How far", "<b>Far.</b>");
    ExpectHas(Written(m_page),
              {"<h2>How far</h2>",
               "aria-label=\"How far\"",
               "<figcaption><b>Far.</b> (<a href=\"./figures/own.svg\">SVG</a>) "
               "<span class=\"hint\">A tap enlarges it.</span></figcaption>"});
}

TEST_F(PageTest, FiguresOfAFolderBelowAreLinkedThere)
{
    Figure("part one/figures/comparison.svg");
    m_page.AddSectionOf("part one", "Part", "<p>text</p>\n");
    ExpectHas(Written(m_page),
              {"<h2>Part</h2>\n<p>text</p>\n<figure>",
               "href=\"./part%20one/figures/comparison.svg\""});
}

TEST_F(PageTest, TheCommandThatRepeatsIsOfTheRunInfo)
{
    WriteText(m_folder / "run-info.json",
              R"({"command_line": "geotrain run x --out y", "geotrain_version": "1.2"})");
    m_page.AddHowToRepeat();
    const auto body = Written(m_page);
    ExpectHas(
        body,
        {"<pre class=\"text\">geotrain run x</pre>", "geotrain 1.2 among them", "the same bytes"});
    ExpectLacks(body, {"--again"}); // there is no trace: this is no run's folder
    WriteText(m_folder / "trace.pb", "");
    ReportPage ofRun(m_folder.Path());
    ofRun.AddHowToRepeat();
    ExpectHas(Written(ofRun), {"geotrain run --again DIR"});
}

TEST_F(PageTest, WithoutRunInfoNothingIsMadeUp)
{
    m_page.AddHowToRepeat();
    const auto body = Written(m_page);
    ExpectLacks(body, {"<pre", "among them"});
    ExpectHas(body, {"<code>run-info.json</code>"});
}

TEST_F(PageTest, ALiveRunPromisesNoEqualBytes)
{
    WriteText(m_folder / "trace.pb", "");
    m_page.AddHowToRepeat(true);
    const auto body = Written(m_page);
    ExpectHas(body, {"by the wall clock"});
    ExpectLacks(body, {"the same bytes", "--again"});
}

TEST_F(PageTest, TheScenarioIsFoldedAndEscaped)
{
    m_page.AddScenario("As written");
    EXPECT_EQ(Written(m_page), ""); // there is none
    WriteText(m_folder / "scenario.textproto", "name: \"<x>\"\n");
    m_page.AddScenario("As written");
    EXPECT_EQ(Written(m_page),
              "<details>\n<summary>As written</summary>\n<pre class=\"text\">name: "
              "&quot;&lt;x&gt;&quot;\n</pre>\n"
              "</details>\n");
}

TEST(PageFile, ThatCannotBeWrittenIsAnError)
{
    EXPECT_THROW(ReportPage("/nowhere").Write(), TraceError);
}

class BatteryReportTest : public ::testing::Test
{
  protected:
    std::string Report(const std::vector<BatteryPart>& parts) const
    {
        WriteBatteryReport("All of it", parts, m_folder.Path());
        return Contents(m_folder / "report.html");
    }

    TemporaryFolder m_folder;
};

TEST_F(BatteryReportTest, LeadsToEachPartWithItsQuestionAndFigures)
{
    WriteText(m_folder / "fairness/figures/own.svg", "<svg></svg>");
    const auto page = Report({{"Fairness", "fairness", "Is it <fair>?", "4 runs"},
                              {"Delay", "delay", "Does it wait?", "2 runs, 1 failed"}});
    ExpectHas(page,
              {"Battery of 2 comparisons",
               "<h1>All of it</h1>",
               "<a href=\"./fairness/report.html\">Fairness</a>",
               "Is it &lt;fair&gt;?",
               "2 runs, 1 failed",
               "<h2>Delay</h2>",
               "href=\"./fairness/figures/own.svg\""});
    ExpectLacks(page, {"Report cards"});
}

TEST_F(BatteryReportTest, LeadsToTheCardsThatAreThere)
{
    for (const auto* file : {"card-TcpReno.html", "card-TcpBbr3.html", "card-x.txt", "other.html"})
    {
        WriteText(m_folder / file, "");
    }
    const auto page = Report({});
    const auto first = page.find("card-TcpBbr3.html");
    ASSERT_NE(first, std::string::npos);
    EXPECT_LT(first, page.find("card-TcpReno.html")); // by name
    ExpectLacks(page, {"card-x.txt", "other.html"});
}

CardLine
LineOfVerdict(Verdict verdict)
{
    CardLine line;
    line.what = "Goodput";
    line.number = "45 %";
    line.reference = "> 40 %";
    line.source = "RFC 5166";
    line.verdict = verdict;
    return line;
}

TEST(ReportCardTest, CountsItsVerdicts)
{
    const TemporaryFolder folder;
    ReportCard card;
    card.control = "geotrain::TcpBbr3";
    card.name = "geotrain::TcpBbr3";
    card.headings = {{"Delay",
                      "delay",
                      {LineOfVerdict(Verdict::Pass),
                       LineOfVerdict(Verdict::Pass),
                       LineOfVerdict(Verdict::Look)}},
                     {"Loss", "loss", {LineOfVerdict(Verdict::NumberOnly), CardLine()}}};
    WriteReportCard(card, folder.Path());
    const auto page = Contents(folder / "card-geotrain--TcpBbr3.html"); // no file has ":"
    ExpectHas(page,
              {"<b>2</b><span>criteria pass</span>",
               "<b>1</b><span>need a look</span>",
               "<b>1</b><span>are numbers alone</span>",
               "<b>1</b><span>were not run</span>",
               "<h1>geotrain::TcpBbr3</h1>",
               "<h2>Loss</h2>",
               "<a href=\"./delay/report.html\">delay</a>",
               "&gt; 40 %",
               "RFC 5166"});
    EXPECT_EQ(CountIn(page, "<span class=\"pass\">pass</span>"), 2u);
    EXPECT_EQ(CountIn(page, "<span class=\"look\">look</span>"), 1u);
    EXPECT_EQ(CountIn(page, "<span class=\"none\">not run</span>"), 1u);
}

} // namespace
} // namespace geotrain
