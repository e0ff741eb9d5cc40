// SPDX-License-Identifier: GPL-2.0-only
// Tests the small parts of reports: HTML, pictures, comments, commands, values and what a result can
// be trusted for.
#include "expect-text.h"
#include "report/command-to-repeat.h"
#include "report/figure-list.h"
#include "report/head-comment.h"
#include "report/html.h"
#include "report/inline-svg.h"
#include "report/metric-text.h"
#include "report/trust.h"
#include "result-folders.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

TEST(HtmlText, WhatCouldBeMarkupIsEscaped)
{
    const std::pair<std::string, const char*> cases[] = {
        {"plain", "plain"},
        {"a < b > c", "a &lt; b &gt; c"},
        {"\"a\" & 'b'", "&quot;a&quot; &amp; &#39;b&#39;"},
        {"&lt;", "&amp;lt;"}, // what was escaped stays readable
        {"two\nlines\tand a tab", "two\nlines\tand a tab"},
        {std::string("bell\x07 null\0 delete\x7f", 19), "bell  null  delete "},
        {"\u6771\u4eac", "\u6771\u4eac"}};
    for (const auto& [text, html] : cases)
    {
        EXPECT_EQ(Escaped(text), html);
    }
}

// RFC 3986, 2.3: letters, digits and -._~ stay; "/" parts folders.
TEST(HtmlLinks, PathsArePercentEncoded)
{
    const std::pair<const char*, const char*> cases[] = {
        {"a/b-1_2.~x", "./a/b-1_2.~x"},
        {"a b", "./a%20b"},
        {"50%", "./50%25"},
        {"x=1&y#z?", "./x%3D1%26y%23z%3F"},
        {"javascript:alert(1)", "./javascript%3Aalert%281%29"},
        {"\"><script>", "./%22%3E%3Cscript%3E"},
        {"\u00e9", "./%C3%A9"}};
    for (const auto& [path, encoded] : cases)
    {
        EXPECT_EQ(Linked(path, "<t>"),
                  std::string("<a href=\"") + encoded + "\">&lt;t&gt;</a>");
    }
}

TEST(HtmlTables, HaveHeadsAndRows)
{
    const HtmlTable table{{{"a"}, {"b", true}}, {{{"1"}, {"2", true}}, {{"3"}, {"4", true}}}};
    EXPECT_EQ(table.Html(),
              "<div class=\"scroll\"><table>\n"
              "<thead><tr><th>a</th><th class=\"number\">b</th></tr></thead>\n<tbody>\n"
              "<tr><td>1</td><td class=\"number\">2</td></tr>\n"
              "<tr><td>3</td><td class=\"number\">4</td></tr>\n"
              "</tbody></table></div>\n");
}

TEST(HtmlTables, TooltipsAreEscaped)
{
    const HtmlTable table{{{"a"}}, {{{"1", false, "\"x\""}}}};
    ExpectHas(table.Html(), {"<td title=\"&quot;x&quot;\">1</td>"});
}

TEST(Pictures, WithoutAnEndOrABeginAreNone)
{
    for (const auto* text : {"", "<svg>", "</svg>", "</svg><svg>", "<html></html>"})
    {
        EXPECT_EQ(InlineSvg(text, "f1-", "x"), "") << text;
    }
}

TEST(Pictures, KeepWhatGnuplotDraws)
{
    const std::string inside =
        "<defs><circle/><clipPath/><pattern/><filter/><feFlood/><feComposite/></defs>"
        "<g><path/><line/><polygon/><polyline/><rect/><ellipse/><stop/></g>"
        "<text><tspan>x</tspan></text><image xlink:href='data:image/png;base64,AA=='/>";
    EXPECT_EQ(InlineSvg("<svg>" + inside + "</svg>", "f1-", "x"),
              "<svg role=\"img\" aria-label=\"x\">" + inside + "</svg>");
}

TEST(Pictures, ThatLeadOutAreNone)
{
    for (const auto* inside : {"<a xlink:href=\"http://x\"/>",
                               "<image href='data:text/html;base64,AA=='/>",
                               "<image href = 'file:///etc/passwd'/>",
                               "<g clip-path=\"url(http://x)\"/>",
                               "<g fill='url( #a)'/>",
                               "<iframe/>",
                               "<svg:script/>",
                               "<animate attributeName='href'/>",
                               "<!ENTITY x 'y'>",
                               "<path onmouseover = 'x'/>",
                               "<path d='1'onload='x'/>",
                               "<path/onload='x'/>"})
    {
        EXPECT_EQ(InlineSvg("<svg>" + std::string(inside) + "</svg>", "f1-", "x"), "") << inside;
    }
}

TEST(Pictures, WordsThatBeginWithOnAreNoHandlers)
{
    for (const auto* inside : {"<text>once = 1</text>", "<g font='one'/>", "<g button='x'/>"})
    {
        EXPECT_NE(InlineSvg("<svg>" + std::string(inside) + "</svg>", "f1-", "x"), "") << inside;
    }
}

TEST(Pictures, LoseTheirOwnTitle)
{
    EXPECT_EQ(InlineSvg("<svg><title>Gnuplot</title><desc>Produced by GNUPLOT</desc><g/></svg>",
                        "f1-",
                        "Timeline"),
              "<svg role=\"img\" aria-label=\"Timeline\"><g/></svg>");
}

TEST(HeadComments, TheFirstSentenceIsTheQuestion)
{
    const std::pair<const char*, const char*> cases[] = {
        {"", ""},
        {"name: \"x\"\n# later\n", ""},
        {"#\n#\nname: \"x\"\n", ""},
        {"# How far\n", "How far"},
        {"#No space. Two.\n", "No space."},
        {"# At 1.5 Gbit/s? Yes.\n", "At 1.5 Gbit/s?"},
        {"# Look! There.\n", "Look!"},
        {"#\n# After a blank line. x\n", "After a blank line."},
        {"#   a --- b\n#\n# Behind the drawing. x\n", "Behind the drawing."},
        {"# Over two\n# lines. x\n", "Over two lines."}};
    for (const auto& [scenario, question] : cases)
    {
        EXPECT_EQ(HeadCommentOf(scenario).question, question) << scenario;
    }
}

TEST(HeadComments, EndWithTheFirstLineThatIsNone)
{
    const auto comment = HeadCommentOf("# A. b\n# c\n#\n# d\nname: \"x\"\n# e\n");
    ASSERT_EQ(comment.paragraphs.size(), 2u);
    EXPECT_EQ(comment.paragraphs[0].text, "b c");
    EXPECT_EQ(comment.paragraphs[1].text, "d");
    EXPECT_FALSE(comment.paragraphs[1].drawing);
}

TEST(HeadComments, LinesWithColumnsAreDrawings)
{
    const auto comment = HeadCommentOf("# Q?\n#\n# rate   delay\n# 1      2\n#\n#   indented\n");
    ASSERT_EQ(comment.paragraphs.size(), 2u);
    EXPECT_TRUE(comment.paragraphs[0].drawing);
    EXPECT_EQ(comment.paragraphs[0].text, "rate   delay\n1      2");
    EXPECT_TRUE(comment.paragraphs[1].drawing);
}

TEST(Origins, LeaveOutWhereAndHowARunWrites)
{
    const std::pair<const char*, const char*> cases[] = {
        {"geotrain run x", "geotrain run x"},
        {"geotrain run x --out y --seed 3", "geotrain run x --seed 3"},
        {"geotrain run x --out=y --jobs=4", "geotrain run x"},
        {"geotrain compare x --jobs 4 --resume --force --quiet --json", "geotrain compare x"},
        {"geotrain run 'a b' --set 'name=--out y'", "geotrain run 'a b' --set 'name=--out y'"},
        {"geotrain run x --outer y", "geotrain run x --outer y"},
        {"geotrain run x --out", "geotrain run x"}};
    for (const auto& [line, command] : cases)
    {
        const auto info = std::string("{\"command_line\": \"") + line + "\"}";
        EXPECT_EQ(OriginOf(info).command, command);
    }
}

TEST(Origins, OfDamagedFilesAreEmpty)
{
    for (const auto* info : {"", "{", "[]", "3", "{}", R"({"command_line": 5})", "null"})
    {
        EXPECT_EQ(OriginOf(info).command, "") << info;
        EXPECT_EQ(OriginOf(info).version, "") << info;
    }
    EXPECT_EQ(OriginOf(R"({"geotrain_version": "1.2"})").version, "1.2");
}

TEST(MetricValues, HaveTheLargestUnitBelowThem)
{
    const std::pair<Metric, const char*> cases[] = {
        {{"x", 0.000012, "s"}, "12 µs"},
        {{"x", 1e-9, "s"}, "0.001 µs"}, // the smallest unit
        {{"x", 59.999, "s"}, "60 s"},
        {{"x", -0.25, "s"}, "-250 ms"},
        {{"goodput", 999, "bps"}, "999 bit/s"},
        {{"goodput", 1e3, "bps"}, "1 kbit/s"},
        {{"goodput", 2.5e6, "bps"}, "2.5 Mbit/s"},
        {{"goodput", 0, "bps"}, "0 bit/s"},
        {{"wan_bytes", 999, ""}, "999 B"},
        {{"wan_bytes", 1.5e12, ""}, "1.5 TB"},
        {{"flops", 3.12e14, "FLOP/s"}, "312 TFLOP/s"},
        {{"messages", 12345678, ""}, "12,345,678"},
        {{"messages", 999, ""}, "999"},
        {{"jain_index", 0.98765, ""}, "0.9877"},
        {{"mfu", 0.4567, ""}, "45.7 %"},
        {{"mfu", 0, ""}, "0.0 %"},
        {{"mfu", 1, ""}, "100.0 %"}};
    for (const auto& [metric, text] : cases)
    {
        EXPECT_EQ(ValueText(metric), text) << metric.name << " " << metric.value;
    }
}

TEST(MetricValues, KeepTheExactNumberAsTooltip)
{
    const auto cell = ValueCell({"iteration_time", 1.0 / 3, "s"});
    EXPECT_EQ(cell.html, "333.3 ms");
    EXPECT_TRUE(cell.number);
    EXPECT_EQ(std::stod(cell.exact), 1.0 / 3);
}

std::vector<std::string>
NamesOf(const std::vector<Metric>& metrics)
{
    std::vector<std::string> names;
    for (const auto& metric : metrics)
    {
        names.push_back(metric.name);
    }
    return names;
}

TEST(MainMetricsOf, ARunAreInTheOrderOfTheirWeight)
{
    Summary summary;
    summary.metrics = {{"idle_wan", 0.1, ""},
                       {"packets_wan", 5, ""},
                       {"gpu_utilization", 0.5, ""},
                       {"iteration_time", 2, "s"}};
    EXPECT_EQ(NamesOf(MainMetrics(summary)),
              (std::vector<std::string>{"iteration_time", "gpu_utilization", "idle_wan"}));
}

TEST(MainMetricsOf, ARunWithoutFillersLackTheTotal)
{
    Summary summary;
    summary.metrics = {{"gpu_utilization", 0.5, ""},
                       {"fill_utilization", 0, ""},
                       {"total_utilization", 0.5, ""}};
    EXPECT_EQ(NamesOf(MainMetrics(summary)), std::vector<std::string>{"gpu_utilization"});
    summary.metrics[1].value = 0.2;
    EXPECT_EQ(MainMetrics(summary).size(), 3u);
}

TEST(Phrases, AreWordsWithAcronyms)
{
    const std::pair<const char*, const char*> cases[] = {{"", ""},
                                                         {"own-figure", "Own figure"},
                                                         {"wan_rtts", "WAN RTTs"},
                                                         {"gas_and_gpus", "Gas and GPUs"},
                                                         {"dp_and_tp", "DP and TP"},
                                                         {"__x__y", "X y"},
                                                         {"s", "S"}};
    for (const auto& [name, phrase] : cases)
    {
        EXPECT_EQ(Phrase(name), phrase);
    }
}

std::vector<std::string>
TitlesIn(const std::vector<std::string>& stems)
{
    const TemporaryFolder folder;
    for (const auto& stem : stems)
    {
        WriteText(folder / (stem + ".svg"), "<svg></svg>");
    }
    std::vector<std::string> titles;
    for (const auto& figure : FiguresIn(folder.Path()))
    {
        titles.push_back(figure.title);
    }
    return titles;
}

using Titles = std::vector<std::string>;

TEST(FigureLists, KnownFiguresComeFirst)
{
    EXPECT_EQ(TitlesIn({"a-own", "ttft-cdf", "comparison", "timeline"}),
              (Titles{"Comparison", "Timeline", "Time to first token", "A own"}));
}

TEST(FigureLists, ANumberIsAPageOfAFigureThatIsThere)
{
    EXPECT_EQ(TitlesIn({"own", "own-2"}), (Titles{"Own", "Own, page 2"}));
    EXPECT_EQ(TitlesIn({"rate-100"}), Titles{"Rate 100"});
    EXPECT_EQ(TitlesIn({"own", "own-1234567"}), (Titles{"Own", "Own 1234567"})); // no page number
}

TEST(FigureLists, AreEmptyWithoutPictures)
{
    const TemporaryFolder folder;
    EXPECT_TRUE(FiguresIn(folder / "gone").empty());
    WriteText(folder / "timeline.png", "");
    EXPECT_TRUE(FiguresIn(folder.Path()).empty());
}

/// Returns what TrustOf() says, in one text.
std::string
TrustText(const Summary& summary, std::size_t seeds = 1)
{
    std::string text;
    for (const auto& sentence : TrustOf(summary, seeds))
    {
        text += sentence + "\n";
    }
    return text;
}

Summary
TrustedRun()
{
    Summary summary;
    summary.header.set_network("packet");
    summary.header.set_congestion_control("TcpCubic");
    summary.header.set_warmup_iterations(1);
    summary.iterations = 3;
    summary.complete = true;
    return summary;
}

TEST(Trust, SaysWhatCarriedTheMessages)
{
    auto summary = TrustedRun();
    ExpectHas(TrustText(summary), {"as packets under TcpCubic"});
    summary.header.set_network("live");
    ExpectHas(TrustText(summary), {"the kernel's TCP under TcpCubic", "One run by the wall clock"});
    summary.header.set_network("analytic");
    summary.header.set_without_packets(true);
    ExpectHas(TrustText(summary), {"The analytic network", "<code>--network packet</code>"});
    ExpectLacks(TrustText(summary), {"as packets under"});
}

TEST(Trust, SaysHowMuchWasMeasured)
{
    auto summary = TrustedRun();
    ExpectHas(TrustText(summary), {"Measured: 3 iterations after 1 iteration of warm-up."});
    summary.header.set_warmup_iterations(0);
    summary.iterations = 1;
    ExpectHas(TrustText(summary),
              {"Measured: 1 iteration after 0 iterations of warm-up.",
               "<code>--set run.warmup_iterations=1</code>"});
}

TEST(Trust, SaysWhatRepeatsTheLastIteration)
{
    auto summary = TrustedRun();
    summary.metrics.push_back({"repeated_iterations", 0, ""});
    ExpectLacks(TrustText(summary), {"not simulated"});
    summary.metrics.front().value = 2;
    ExpectHas(TrustText(summary), {"Measured: 3 iterations", "The last 2 were not simulated"});
}

TEST(Trust, BulkMessagesHaveNoIterations)
{
    auto summary = TrustedRun();
    summary.header.mutable_transfers();
    summary.header.set_precision("BF16");
    ExpectLacks(TrustText(summary), {"Measured:", "MFU"});
}

TEST(Trust, SaysWhatSeedsTell)
{
    auto summary = TrustedRun();
    ExpectHas(TrustText(summary, 5), {"Means over 5 seeds"});
    ExpectHas(TrustText(summary), {"One seed, so no interval."});
    summary.header.add_draws("packet losses");
    summary.header.add_draws("cross <traffic>");
    ExpectHas(TrustText(summary), {"one draw of packet losses, cross &lt;traffic&gt;:"});
}

TEST(Trust, NamesWhatAFormulaComputed)
{
    auto summary = TrustedRun();
    summary.header.add_analytic_parts("all_reduce");
    summary.header.set_precision("FP8");
    ExpectHas(TrustText(summary),
              {"<code>all_reduce</code> was computed by a formula", "peak in FP8."});
}

TEST(Trust, SaysWhereARunDidNotFinish)
{
    auto summary = TrustedRun();
    ExpectHas(TrustText(summary), {"No warnings."});
    ExpectLacks(TrustText(summary), {"did not finish"});
    summary.complete = false;
    summary.warnings = {"slow"};
    ExpectHas(TrustText(summary), {"did not finish"});
    ExpectLacks(TrustText(summary), {"No warnings."});
}

} // namespace
} // namespace geotrain
