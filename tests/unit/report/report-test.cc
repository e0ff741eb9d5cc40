// SPDX-License-Identifier: GPL-2.0-only
// A report says what a folder holds, and no name in the folder becomes markup.
#include "pipeline-trace.h"
#include "report/command-to-repeat.h"
#include "report/comparison-report.h"
#include "report/figure-list.h"
#include "report/head-comment.h"
#include "report/html.h"
#include "report/inline-svg.h"
#include "report/metric-text.h"
#include "report/run-report.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace geotrain
{
namespace
{

namespace fs = std::filesystem;

const std::string hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&";

class ReportTest : public ::testing::Test
{
  protected:
    void Write(const std::string& name, const std::string& text) const
    {
        fs::create_directories((m_folder / name).parent_path());
        std::ofstream(m_folder / name) << text;
    }

    Summary SummaryOf(const std::string& name) const
    {
        auto records = PipelineTrace({});
        auto& header = *records.front().mutable_run_header();
        header.set_scenario(name);
        header.set_congestion_control(name);
        trace::Record warning;
        warning.mutable_warning()->set_text(name);
        records.insert(records.begin() + 1, warning);
        WriteTrace((m_folder / "trace.pb").string(), records);
        TraceReader reader((m_folder / "trace.pb").string());
        return Summarize(reader);
    }

    std::string Report(const Summary& summary) const
    {
        WriteRunReport(summary, m_folder.Path());
        return Contents(m_folder / "report.html");
    }

    TemporaryFolder m_folder;
};

/// Returns whether the page has a tag of this name.
bool
HasTag(const std::string& page, const std::string& tag)
{
    return page.find("<" + tag) != std::string::npos;
}

TEST_F(ReportTest, ARunsReportHasQuestionResultFiguresTrustAndCommand)
{
    Write("scenario.textproto", "# How far? Two sites.\n#\n#   a --- b\n\nname: \"x\"\n");
    Write(
        "run-info.json",
        R"({"command_line": "geotrain run x --out /somewhere --seed 3", "geotrain_version": "9.9"})");
    Write("figures/timeline.svg",
          "<?xml version=\"1.0\"?>\n<svg width=\"504pt\"><g id=\"a\"/></svg>");
    Write("figures/timeline.csv", "x\n");
    const auto page = Report(SummaryOf("small"));
    for (const std::string part : {"<h1>How far?</h1>",
                                   "<p>Two sites.</p>",
                                   "<pre>  a --- b</pre>",
                                   "Run of small, seed ",
                                   "Iteration time",
                                   "<code>gpu_<wbr>utilization</code>",
                                   "aria-label=\"Timeline\"",
                                   "href=\"./figures/timeline.csv\"",
                                   "How far to trust it",
                                   "<pre class=\"text\">geotrain run x --seed 3</pre>",
                                   "geotrain 9.9",
                                   "name: &quot;x&quot;"})
    {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(page.find("/somewhere"), std::string::npos);
}

TEST_F(ReportTest, ALiveRunsReportPromisesNoEqualBytes)
{
    auto summary = SummaryOf("small");
    summary.header.set_network("live");
    summary.header.set_congestion_control("TcpCubic");
    const auto page = Report(summary);
    for (const std::string part : {"Live run of small",
                                   "over the kernel's TCP under TcpCubic",
                                   "by the wall clock"})
    {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
    for (const std::string part : {"the same bytes", "--again", "were simulated", "--seeds"})
    {
        EXPECT_EQ(page.find(part), std::string::npos) << part;
    }
}

TEST_F(ReportTest, ARunsReportIsTheSameTwice)
{
    const auto summary = SummaryOf("small");
    EXPECT_EQ(Report(summary), Report(summary));
}

TEST_F(ReportTest, HostileNamesStayText)
{
    Write("scenario.textproto", "# " + hostile + "\n\nname: \"" + hostile + "\"\n");
    Write("run-info.json", "{\"command_line\": \"geotrain run '<script>alert(1)</script>'\"}");
    Write("figures/<script>x.svg", "<svg><script>alert(1)</script></svg>");
    Write("figures/quote\"onload=\"x.svg", "<svg><text>fine</text></svg>");
    const auto page = Report(SummaryOf(hostile));
    EXPECT_FALSE(HasTag(page, "script"));
    EXPECT_FALSE(HasTag(page, "img"));
    EXPECT_EQ(page.find("\"onload"), std::string::npos);
    EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
}

TEST_F(ReportTest, APageAsksForNoOtherFile)
{
    Write("figures/a.svg", "<svg><image xlink:href=\"http://example.org/x.png\"/></svg>");
    const auto page = Report(SummaryOf("small"));
    for (const std::string request : {" src=", "<link", "url(", "@import", "<image", "http://"})
    {
        EXPECT_EQ(page.find(request), std::string::npos) << request;
    }
}

// A phone is narrower than a figure's text is legible: without any script, a label's tap sets the box
// whose style makes the picture larger.
TEST_F(ReportTest, ATapOnAPictureEnlargesIt)
{
    Write("figures/a.svg", "<svg><text>t</text></svg>");
    const auto page = Report(SummaryOf("small"));
    EXPECT_NE(page.find("<figure>\n<label><input type=\"checkbox\"><svg role=\"img\""),
              std::string::npos);
    EXPECT_NE(page.find("</svg></label>"), std::string::npos);
    EXPECT_NE(page.find("figure :checked + svg { max-width: none; width: 48rem; }"),
              std::string::npos);
}

TEST_F(ReportTest, AKilledRunHasAReportWithoutNumbers)
{
    auto records = PipelineTrace({});
    records.resize(20);
    WriteTrace((m_folder / "trace.pb").string(), records);
    TraceReader reader((m_folder / "trace.pb").string());
    const auto page = Report(SummaryAsFarAsItGoes(RunTally(reader)));
    EXPECT_NE(page.find("did not finish"), std::string::npos);
    EXPECT_EQ(page.find("All metrics"), std::string::npos);
}

TEST_F(ReportTest, AComparisonsReportLeadsToItsVariants)
{
    ComparedResults results;
    auto summary = SummaryOf("job");
    fs::remove(m_folder / "trace.pb"); // a comparison's folder has none
    for (const std::string variant : {"one", "two"})
    {
        Write(variant + "/trace.pb", "");
        Write(variant + "/report.html", "");
        results.comparison.variants.push_back({variant, summary});
        for (auto& metric : summary.metrics)
        {
            metric.value *= metric.name == "iteration_time" ? 0.5 : 1;
        }
    }
    results.warnings = {{"slow <b>", {"one"}}};
    results.failed = {{"three", "three", "no <i> way"}};
    Write("comparison.csv", "variant\none\ntwo\n");
    WriteComparisonReport(results, m_folder.Path());
    const auto page = Contents(m_folder / "report.html");
    for (const std::string part : {"Comparison of 3 variants of job",
                                   "href=\"./one/report.html\"",
                                   "href=\"./two/report.html\"",
                                   "2 ×",
                                   "slow &lt;b&gt; <span class=\"seeds\">(one)</span>",
                                   "failed: no &lt;i&gt; way",
                                   "href=\"./comparison.csv\""})
    {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
}

TEST_F(ReportTest, AWarningOfManyVariantsNamesTheFirst)
{
    ComparedResults results;
    const auto summary = SummaryOf("job");
    fs::remove(m_folder / "trace.pb");
    std::vector<std::string> names;
    for (int i = 0; i < 9; ++i)
    {
        names.push_back("v" + std::to_string(i));
        results.comparison.variants.push_back({names.back(), summary});
        results.comparison.variants.back().title = "Variant " + names.back();
    }
    names.pop_back();
    results.warnings = {{"slow", names}, {"small", {"v1", "v2"}}};
    WriteComparisonReport(results, m_folder.Path());
    const auto page = Contents(m_folder / "report.html");
    EXPECT_NE(page.find("(8 of 9 variants: Variant v0; Variant v1; Variant v2; ...)"),
              std::string::npos);
    EXPECT_NE(page.find("(Variant v1; Variant v2)"), std::string::npos);
}

// A phone shows a row as a block, in which each cell needs its head.
TEST(HtmlTableTest, CellsOfAWideTableHaveTheirHeads)
{
    const HtmlTable wide{{{"a"}, {"b &amp; c"}, {"d"}, {"e"}},
                         {{{"1"}, {"2", true, "2.5"}, {"3"}, {""}}}};
    const auto html = wide.Html();
    EXPECT_NE(html.find("<table class=\"wide\">"), std::string::npos);
    EXPECT_NE(html.find("<tr><td>1</td><td class=\"number\" title=\"2.5\" data-head=\"b &amp; "
                        "c\">2</td><td data-head=\"d\">3</td><td></td></tr>"),
              std::string::npos);
    const HtmlTable narrow{{{"a"}, {"b"}, {"c"}}, {{{"1"}, {"2"}, {"3"}}}};
    EXPECT_EQ(narrow.Html().find("data-head"), std::string::npos);
    EXPECT_EQ(narrow.Html().find("wide"), std::string::npos);
}

TEST(FigureListTest, PagesFollowTheirFigureByNumber)
{
    TemporaryFolder folder;
    for (const std::string stem :
         {"comparison", "comparison-2", "comparison-10", "timelines", "sweep-flow-2", "own-3", "own"})
    {
        std::ofstream(folder / (stem + ".svg")) << "<svg></svg>";
    }
    std::vector<std::string> stems;
    for (const auto& figure : FiguresIn(folder.Path()))
    {
        stems.push_back(figure.stem);
    }
    EXPECT_EQ(stems,
              (std::vector<std::string>{"comparison",
                                        "comparison-2",
                                        "comparison-10",
                                        "timelines",
                                        "own",
                                        "own-3",
                                        "sweep-flow-2"}));
    EXPECT_EQ(FiguresIn(folder.Path())[2].title, "Comparison, page 10");
}

TEST_F(ReportTest, AVariantWithHalfOfTheGoodputHasHalfOfTheFirst)
{
    ComparedResults results;
    auto summary = SummaryOf("flows");
    fs::remove(m_folder / "trace.pb");
    for (const auto& [variant, bps] : {std::pair("all", 1e8), std::pair("half", 5e7)})
    {
        summary.metrics = {{"goodput", bps, "bps"}, {"retransmitted_share", bps > 5e7 ? 0.1 : 0, ""}};
        summary.header.mutable_wan_conditions()->set_loss(1e-5);
        results.comparison.variants.push_back({variant, summary});
    }
    Write("comparison.csv", "variant\nall\nhalf\n");
    WriteComparisonReport(results, m_folder.Path());
    const auto page = Contents(m_folder / "report.html");
    EXPECT_NE(page.find("Times the first"), std::string::npos);
    EXPECT_NE(page.find("0.5 ×"), std::string::npos);
    EXPECT_EQ(page.find("peed-up"), std::string::npos);
    EXPECT_NE(page.find("half (no packet lost)"), std::string::npos);
    EXPECT_EQ(page.find("all (no packet lost)"), std::string::npos);
}

TEST(InlineSvgTest, IdsAndTheirReferencesGetThePrefix)
{
    EXPECT_EQ(InlineSvg("<?xml?>\n<!DOCTYPE svg>\n<svg w=\"1\"><title>Gnuplot</title>"
                        "<path id=\"p\"/><use xlink:href='#p'/><g clip-path=\"url(#p)\"/></svg>\n",
                        "f1-",
                        "a \"b\""),
              "<svg role=\"img\" aria-label=\"a &quot;b&quot;\" w=\"1\">"
              "<path id=\"f1-p\"/><use xlink:href='#f1-p'/><g clip-path=\"url(#f1-p)\"/></svg>");
}

TEST(InlineSvgTest, PicturesThatCouldRunScriptsAreLeftOut)
{
    for (const std::string inside : {"<SCRIPT/>",
                                     "<a href='javascript:x'/>",
                                     "<g onload='x'/>",
                                     "<g\nonclick='x'/>",
                                     "<foreignObject/>",
                                     "<use href='//x'/>",
                                     "<style>@import x</style>"})
    {
        EXPECT_EQ(InlineSvg("<svg>" + inside + "</svg>", "f-", "x"), "") << inside;
    }
    EXPECT_EQ(InlineSvg("no picture", "f-", "x"), "");
    EXPECT_NE(InlineSvg("<svg><text>one = 1 &lt;script&gt;</text></svg>", "f-", "x"), "");
}

TEST(HeadCommentTest, ProseIsJoinedAndDrawingsAreKept)
{
    const auto comment =
        HeadCommentOf("# Is 1.5 MB\n# enough? Yes.\n#\n#  a   b\n#  c   d\n\n# not\n");
    EXPECT_EQ(comment.question, "Is 1.5 MB enough?");
    ASSERT_EQ(comment.paragraphs.size(), 2U);
    EXPECT_EQ(comment.paragraphs[0].text, "Yes.");
    EXPECT_EQ(comment.paragraphs[1].text, " a   b\n c   d");
    EXPECT_TRUE(comment.paragraphs[1].drawing);
    EXPECT_EQ(HeadCommentOf("name: \"x\"").question, "");
}

TEST(OriginTest, TheCommandHasOnlyWhatMakesTheResults)
{
    EXPECT_EQ(OriginOf(R"({"command_line":
        "geotrain compare 'a b.textproto' --jobs 2 --set 'x[0]=1' --out=r --force --quiet"})")
                  .command,
              "geotrain compare 'a b.textproto' --set 'x[0]=1'");
    EXPECT_EQ(OriginOf("broken").command, "");
}

TEST(MetricTextTest, ValuesHaveAUnitOfReadableSize)
{
    EXPECT_EQ(ValueText({"iteration_time", 4.34663, "s"}), "4.347 s");
    EXPECT_EQ(ValueText({"wan_message_p50", 0.0123, "s"}), "12.3 ms");
    EXPECT_EQ(ValueText({"gpu_utilization", 0.349, ""}), "34.9 %");
    EXPECT_EQ(ValueText({"goodput", 4.5e9, "bps"}), "4.5 Gbit/s");
    EXPECT_EQ(ValueText({"wan_bytes", 8589934592, ""}), "8.59 GB");
    EXPECT_EQ(ValueText({"packets_wan", 1471360, ""}), "1,471,360");
    EXPECT_EQ(ValueText({"iteration_time", 4, "s", 0.25}), "4.0 ± 0.2 s");
    EXPECT_EQ(ValueText({"gpu_utilization", 0.349, "", 0.01}), "35 ± 1 %");
    EXPECT_EQ(ValueText({"retransmitted_share", 0.000123, "", 0.0000456}), "0.012 ± 0.005 %");
    EXPECT_EQ(ValueText({"iteration_time", 0.565, "s", 0.1321}), "565 ± 132 ms");
    EXPECT_EQ(ValueText({"iteration_time", 5.6, "s", 9.96}), "6 ± 10 s");
    EXPECT_EQ(ValueText({"iteration_time", 2.197, "s", 0.0000256}), "2.197 ± <0.001 s");
    EXPECT_EQ(ValueText({"total_utilization_all_gpus", 0.2258, ""}), "22.6 %");
    EXPECT_EQ(ValueText({"retransmitted_bytes", 0, ""}), "0 B");
    EXPECT_EQ(ValueText({"wan_message_jitter", 0, "s"}), "0 s");
}

TEST_F(ReportTest, FiguresOfSweepsSayWhatTheyShow)
{
    for (const std::string stem :
         {"sweep-pp-degree", "sweep-pp-degree-utilization", "sweep-loss-goodput", "own-figure"})
    {
        Write("figures/" + stem + ".svg", "<svg></svg>");
    }
    const auto page = Report(SummaryOf("small"));
    for (const std::string part : {"<b>Sweep: PP degree.</b> Time by",
                                   "<b>Sweep: PP degree.</b> What the GPUs work",
                                   "<b>Sweep: Loss.</b> Share of the capacity",
                                   "<b>Own figure.</b>"})
    {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
}

TEST(MetricTextTest, NamesBecomePhrasesWithAcronyms)
{
    EXPECT_EQ(LabelOf({"idle_wan_turn", 0, ""}), "Idle WAN turn");
    EXPECT_EQ(LabelOf({"decode_gpus", 0, ""}), "Decode GPUs");
    EXPECT_EQ(LabelOf({"kv_nics", 0, ""}), "KV NICs");
    EXPECT_EQ(LabelOf({"packets_intra_dc", 0, ""}), "Packets intra DC");
    EXPECT_EQ(LabelOf({"fill_job_flops_per_gpu", 0, ""}), "Fill job FLOPS per GPU");
}

} // namespace
} // namespace geotrain
