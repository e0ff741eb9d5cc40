// SPDX-License-Identifier: GPL-2.0-only
// Imports graphs whose edges name rate, delay and loss as other programs do.
#include "topology-import/topology-import.h"

#include "units/config-error.h"

#include <gtest/gtest.h>

namespace
{

using geotrain::BitRate;
using geotrain::Duration;
using geotrain::GraphFormat;
using geotrain::ImportedTopology;
using Links = std::vector<geotrain::WanTopology::Link>;
using Texts = std::vector<std::string>;

const Duration greatCircle = geotrain::GreatCircleDelay({50, 8}, {52, 4});
const BitRate defaultRate = BitRate::GigabitsPerSecond(77);

ImportedTopology
ImportAs(const std::string& text, GraphFormat format)
{
    geotrain::ImportOptions options;
    options.defaultRate = defaultRate;
    return geotrain::ImportTopologyText(text, format, "x", options);
}

std::string
ComplaintAs(const std::string& text, GraphFormat format)
{
    try
    {
        ImportAs(text, format);
    }
    catch (const geotrain::ConfigError& error)
    {
        return error.what();
    }
    return "";
}

/// Returns node-link JSON of A and C, with an edge for each text of attributes.
std::string
LinksJson(const Texts& edges, const std::string& rest = "")
{
    std::string links;
    for (const std::string& edge : edges)
    {
        links +=
            (links.empty() ? "" : ",") + ("{\"source\": \"A\", \"target\": \"C\", " + edge) + "}";
    }
    return R"({"nodes": [{"id": "A", "Latitude": 50, "Longitude": 8},
                         {"id": "C", "Latitude": 52, "Longitude": 4}], "links": [)" +
           links + "]" + rest + "}";
}

ImportedTopology
ImportEdges(const Texts& edges, const std::string& rest = "")
{
    return ImportAs(LinksJson(edges, rest), GraphFormat::NodeLink);
}

struct AttributeCase
{
    const char* attributes;
    std::int64_t bitsPerSecond; ///< 0: the default
    double delaySeconds;        ///< 0: the great circle
    double loss;
};

TEST(LinkAttributes, NamesInAnyCaseWithTheirUnitsAreRead)
{
    const AttributeCase cases[] = {
        {R"("bandwidth": "10 Gbps")", 10000000000, 0, 0},
        {R"("Bandwidth": "10G")", 10000000000, 0, 0},
        {R"("BW_Mbps": 500)", 500000000, 0, 0},
        {R"("bandwidth_gbps": "2.5")", 2500000000, 0, 0},
        {R"x("link_bandwidth(Gbit/s)": 40)x", 40000000000, 0, 0},
        {R"("speed": "100 kbit/s")", 100000, 0, 0},
        {R"("dataRate": "5Mbps")", 5000000, 0, 0},
        {R"("rate": "125 MB/s")", 1000000000, 0, 0},
        {R"("LinkSpeed": 10, "LinkSpeedUnits": "G")", 10000000000, 0, 0},
        {R"("linkspeed": "10000", "LINKSPEEDUNITS": "Mbps")", 10000000000, 0, 0},
        {R"("LINKSPEEDRAW": 1e9)", 1000000000, 0, 0},
        {R"("capacity": 10, "capacity_unit": "Gbps")", 10000000000, 0, 0},
        {R"("capacity": "10GbE")", 10000000000, 0, 0},
        {R"("data": {"capacity": "1 Gbps", "delay": "3 ms"})", 1000000000, 0.003, 0},
        {R"("latency": "40 ms")", 0, 0.040, 0},
        {R"("Latency_ms": 40)", 0, 0.040, 0},
        {R"x("latency (us)": "2500")x", 0, 0.0025, 0},
        {"\"delay\": \"2500 \xc2\xb5s\"", 0, 0.0025, 0},
        {R"("delay_s": 0.04)", 0, 0.040, 0},
        {R"("delayInMilliseconds": 40)", 0, 0.040, 0},
        {R"("propagation_delay": "0.01 s")", 0, 0.010, 0},
        {R"("RTT": "80 ms")", 0, 0.040, 0},
        {R"("rtt_ms": 80)", 0, 0.040, 0},
        {R"("delay": "40 msec")", 0, 0.040, 0},
        {R"("delay": "40000 usecs")", 0, 0.040, 0},
        {R"("packet_loss": "1 %")", 0, 0, 0.01},
        {R"("loss_percent": 0.5)", 0, 0, 0.005},
        {R"("lossRate": "0.02 share")", 0, 0, 0.02},
        {R"("bandwidth": null, "latency": "", "loss": "nan")", 0, 0, 0}};
    for (const AttributeCase& one : cases)
    {
        const ImportedTopology imported = ImportEdges({one.attributes});
        const auto& link = imported.wan.links.at(0);
        EXPECT_EQ(link.rate,
                  one.bitsPerSecond == 0 ? defaultRate : BitRate::BitsPerSecond(one.bitsPerSecond))
            << one.attributes;
        EXPECT_EQ(link.delay,
                  one.delaySeconds == 0 ? greatCircle : Duration::Seconds(one.delaySeconds))
            << one.attributes;
        EXPECT_DOUBLE_EQ(link.lossRate, one.loss) << one.attributes;
        EXPECT_EQ(imported.warnings, Texts()) << one.attributes;
    }
}

TEST(LinkAttributes, AWarningSaysHowANumberWithoutAUnitIsRead)
{
    const auto guess = [](const std::string& name, const std::string& unit)
    { return "x: edge: \"" + name + "\" has numbers without a unit, taken for " + unit; };
    const auto small = ImportEdges({R"("bandwidth": 1000, "latency": 40, "loss": 0.01)"});
    EXPECT_EQ(small.wan.links[0].rate, BitRate::GigabitsPerSecond(1));
    EXPECT_EQ(small.wan.links[0].delay, Duration::Milliseconds(40));
    EXPECT_DOUBLE_EQ(small.wan.links[0].lossRate, 0.01);
    EXPECT_EQ(small.warnings,
              Texts({guess("bandwidth", "Mbit/s"),
                     guess("latency", "ms one way"),
                     guess("loss", "shares of packets")}));
    const auto large = ImportEdges({R"("Capacity": 1e9, "ping": 80, "loss": 2)"});
    EXPECT_EQ(large.wan.links[0].rate, BitRate::GigabitsPerSecond(1));
    EXPECT_EQ(large.wan.links[0].delay, Duration::Milliseconds(40));
    EXPECT_DOUBLE_EQ(large.wan.links[0].lossRate, 0.02);
    EXPECT_EQ(large.warnings,
              Texts({guess("Capacity", "bit/s"),
                     guess("loss", "percents"),
                     guess("ping", "ms for a round trip")}));
}

TEST(LinkAttributes, AllNumbersOfAnAttributeHaveOneUnit)
{
    // In bit/s, the first would be 2 Mbit/s beside 500 kbit/s.
    const auto megabits = ImportEdges({R"("speed": 2000000)", R"("speed": 500000)"});
    EXPECT_EQ(megabits.wan.links[0].rate, BitRate::GigabitsPerSecond(2000));
    EXPECT_EQ(megabits.wan.links[1].rate, BitRate::GigabitsPerSecond(500));
    // In Mbit/s, the first would be 1,000 Tbit/s.
    const auto bits = ImportEdges({R"("speed": 1000000000)", R"("speed": 64000)"});
    EXPECT_EQ(bits.wan.links[0].rate, BitRate::GigabitsPerSecond(1));
    EXPECT_EQ(bits.wan.links[1].rate, BitRate::BitsPerSecond(64000));
    // Below 1, a percent.
    EXPECT_DOUBLE_EQ(ImportEdges({R"("loss": 0.5)", R"("loss": 3)"}).wan.links[0].lossRate, 0.005);
}

TEST(LinkAttributes, AWarningNamesWhatIsNotRead)
{
    EXPECT_EQ(ImportEdges({R"("bandwith": 10, "length_km": 400, "jitter": "2 ms", "key": 0,
                             "LinkLabel": "OC-48", "id": "e1", "color": "red", "label": "x")"})
                  .warnings,
              Texts({"x: edge: \"bandwith\", \"jitter\", \"length_km\" is not read"}));
    // The first of the names that are known counts; a warning names one that says something else.
    const auto both =
        ImportEdges({R"("bandwidth": "1 Gbps", "speed": "10 Gbps", "bw": "1000 Mbps")"});
    EXPECT_EQ(both.wan.links[0].rate, BitRate::GigabitsPerSecond(1));
    EXPECT_EQ(both.warnings, Texts({"x: edge: \"speed\" is not read"}));
}

TEST(LinkAttributes, WhatIsNoQuantityIsRefused)
{
    const auto complaint = [](const std::string& attributes)
    { return ComplaintAs(LinksJson({attributes}), GraphFormat::NodeLink); };
    EXPECT_EQ(complaint(R"("bandwidth": "fast")"),
              "x: edge[0].bandwidth: \"fast\" must be a number, alone or with a unit such as Mbps");
    EXPECT_EQ(complaint(R"("delay": "40 parsec")"),
              "x: edge[0].delay: \"40 parsec\" must be a number, alone or with a unit such as ms");
    EXPECT_EQ(complaint(R"("capacity": "inf")"),
              "x: edge[0].capacity: \"inf\" must be a number, alone or with a unit such as Mbps");
    EXPECT_EQ(complaint(R"("capacity": Infinity)").find("\"Infinity\" is no number of JSON") ==
                  std::string::npos,
              false);
    EXPECT_EQ(complaint(R"("latency": "-1 ms")"),
              "x: edge[0]: \"-0.001 s\" must be a delay of 0 to 10 s one way");
    EXPECT_EQ(complaint(R"("loss": "100 %")"),
              "x: edge[0]: \"1\" must be a loss of 0 to 99 % of the packets");
}

// As SNDlib's own files have it: Mbit/s, and 0 where nothing is installed.
TEST(LinkAttributes, SndlibsJsonIsRead)
{
    const std::string text = R"({"meta": {"unit": "MBITPERSEC"},
        "nodes": [{"id": "A", "longitude": 8.0, "latitude": 50.0},
                  {"id": "C", "longitude": 4.0, "latitude": 52.0}],
        "links": [{"id": "A_C", "source": "A", "target": "C", "pre_installed_capacity": 9920.0},
                  {"id": "C_A", "source": "C", "target": "A", "pre_installed_capacity": 0.0,
                   "modules": [{"module_capacity": 40000.0}]}]})";
    const ImportedTopology imported = ImportAs(text, GraphFormat::NodeLink);
    EXPECT_EQ(imported.wan.links.at(0).rate, BitRate::BitsPerSecond(9920000000));
    EXPECT_EQ(imported.wan.links.at(1).rate, defaultRate);
    EXPECT_EQ(imported.wan.links[0].delay, greatCircle);
    EXPECT_EQ(imported.warnings, Texts({"x: edge: \"modules.module_capacity\" is not read"}));
}

// Shadow's graphs have no coordinates, but delays and losses.
TEST(LinkAttributes, ShadowsGraphsNeedNoCoordinates)
{
    const ImportedTopology imported =
        ImportAs("graph [ directed 0 node [ id 0 label \"A\" host_bandwidth_up \"1 Gbit\" ]"
                 "node [ id 1 label \"C\" ]"
                 "edge [ source 0 target 1 latency \"40 ms\" packet_loss 0.01 ] ]",
                 GraphFormat::Gml);
    EXPECT_EQ(imported.wan.links.at(0).delay, Duration::Milliseconds(40));
    EXPECT_DOUBLE_EQ(imported.wan.links[0].lossRate, 0.01);
    EXPECT_EQ(imported.warnings,
              Texts({"x: edge: \"packet_loss\" has numbers without a unit, taken for shares of "
                     "packets"}));
}

TEST(LinkAttributes, GmlsListsInsideEdgesAndNodesAreRead)
{
    const ImportedTopology imported = ImportAs(
        "graph [ node [ id 0 label \"A\" geo [ lat 50 lon 8 ] ]"
        "node [ id 1 label \"C\" geo [ LAT 52 lng 4 ] graphics [ x 1 y 2 ] ]"
        "edge [ source 0 target 1 graphics [ width 2 ] data [ link [ bw \"1 Gbps\" ] ] ] ]",
        GraphFormat::Gml);
    EXPECT_EQ(imported.wan.links.at(0).rate, BitRate::GigabitsPerSecond(1));
    EXPECT_EQ(imported.wan.links[0].delay, greatCircle);
    EXPECT_EQ(imported.warnings, Texts());
}

/// Returns GraphML of A and C with these keys for edges and these elements in its graph.
std::string
DirectedGraphml(const std::string& direction, const std::string& keys, const std::string& edges)
{
    return R"(<graphml><key id="d0" for="node" attr.name="Latitude"/>
              <key id="d1" for="node" attr.name="Longitude"><default>4</default></key>)" +
           keys + "<graph edgedefault=\"" + direction + "\">" +
           R"(<node id="A"><data key="d0">50</data><data key="d1">8</data></node>
              <node id="C"><data key="d0">52</data></node>)" +
           edges + "</graph></graphml>";
}

TEST(LinkAttributes, GraphmlsDefaultsHoldWhereAnElementHasNoData)
{
    const ImportedTopology imported = ImportAs(
        DirectedGraphml(
            "undirected",
            R"(<key id="c" for="edge" attr.name="capacity_mbps"><default>2500</default></key>
                   <key id="latency_ms" for="all"><default>7</default></key>
                   <key id="n" for="node" attr.name="loss"><default>0.5</default></key>)",
            R"(<edge source="A" target="C"/>
                   <edge source="A" target="C"><data key="c">10</data></edge>)"),
        GraphFormat::Graphml);
    const Links& links = imported.wan.links;
    ASSERT_EQ(links.size(), 2u);
    EXPECT_EQ(links[0].rate, BitRate::BitsPerSecond(2500000000));
    EXPECT_EQ(links[1].rate, BitRate::BitsPerSecond(10000000));
    EXPECT_EQ(links[0].delay, Duration::Milliseconds(7));
    EXPECT_EQ(links[0].lossRate, 0);
}

TEST(LinkAttributes, DataOfAnUndeclaredKeyOfGraphmlIsNamed)
{
    const ImportedTopology imported =
        ImportAs(DirectedGraphml("undirected",
                                 R"(<key id="d" for="edge" yfiles.type="edgegraphics"/>)",
                                 R"(<edge source="A" target="C"><data key="e">1</data>
                                    <data key="d">line</data><data key="bw">10 M</data></edge>)"),
                 GraphFormat::Graphml);
    EXPECT_EQ(imported.wan.links.at(0).rate, BitRate::BitsPerSecond(10000000));
    EXPECT_EQ(imported.warnings, Texts({"x: edge: \"e\" is not read"}));
}

// Of two attributes for one quantity, that with a unit counts, and the other is named.
TEST(LinkAttributes, AUnitGoesBeforeAGuess)
{
    const ImportedTopology imported =
        ImportEdges({R"("bandwidth": 10, "bandwidth_gbps": 10, "delay": 0.02, "rtt_ms": 40)"});
    EXPECT_EQ(imported.wan.links.at(0).rate, BitRate::GigabitsPerSecond(10));
    EXPECT_EQ(imported.wan.links[0].delay, Duration::Milliseconds(20));
    EXPECT_EQ(imported.warnings, Texts({"x: edge: \"bandwidth\", \"delay\" is not read"}));
}

const std::string capacities = R"(<key id="c" for="edge" attr.name="capacity_mbps"/>)";

TEST(DirectedGraphs, UnequalArcsBecomeALinkOfTwoRates)
{
    const ImportedTopology imported =
        ImportAs(DirectedGraphml("directed",
                                 capacities,
                                 R"(<edge source="A" target="C"><data key="c">1000</data></edge>
                          <edge source="C" target="A"><data key="c">100</data></edge>)"),
                 GraphFormat::Graphml);
    ASSERT_EQ(imported.wan.links.size(), 1u);
    const auto& link = imported.wan.links[0];
    EXPECT_EQ(link.rate, BitRate::BitsPerSecond(1000000000));
    EXPECT_EQ(link.rateBack, BitRate::BitsPerSecond(100000000));
    EXPECT_EQ(imported.warnings, Texts());
}

TEST(DirectedGraphs, ArcsThatAreAlikeFindEachOtherFirst)
{
    const std::string text = R"({"directed": true, "multigraph": true, "nodes": [
        {"id": "A", "lat": 50, "lon": 8}, {"id": "C", "lat": 52, "lon": 4}], "edges": [
        {"source": "A", "target": "C", "key": 0, "bw_gbps": 1, "delay_ms": 5},
        {"source": "A", "target": "C", "key": 1, "bw_gbps": 2, "delay_ms": 5},
        {"source": "C", "target": "A", "key": 0, "bw_gbps": 2, "delay_ms": 5},
        {"source": "C", "target": "A", "key": 1, "bw_gbps": 1, "delay_ms": 6}]})";
    const Links links = ImportAs(text, GraphFormat::NodeLink).wan.links;
    ASSERT_EQ(links.size(), 2u);
    EXPECT_EQ(links[0].rate, BitRate::GigabitsPerSecond(2));
    EXPECT_FALSE(links[0].rateBack.has_value());
    EXPECT_EQ(links[1].rate, BitRate::GigabitsPerSecond(1));
    EXPECT_EQ(links[1].delay, Duration::Milliseconds(5));
    EXPECT_EQ(links[1].delayBack, Duration::Milliseconds(6));
}

TEST(DirectedGraphs, AnArcWithoutAnOppositeIsRefusedInJsonAndToldOfElsewhere)
{
    const std::string arc = R"(<edge source="A" target="C"><data key="c">1000</data></edge>)";
    const auto lone = ImportAs(DirectedGraphml("directed", capacities, arc), GraphFormat::Graphml);
    EXPECT_EQ(lone.wan.links.size(), 1u);
    EXPECT_EQ(lone.warnings,
              Texts({"x: edge[0]: \"A -> C\" has no opposite, and is taken for both directions"}));
    const auto two =
        ImportAs(DirectedGraphml("directed", capacities, arc + arc), GraphFormat::Graphml);
    EXPECT_EQ(two.warnings,
              Texts({"x: edge[0]: \"A -> C\" is one of 2 directed edges without an opposite, which "
                     "are taken for both directions"}));
    EXPECT_EQ(
        ImportAs(DirectedGraphml("undirected", capacities, arc), GraphFormat::Graphml).warnings,
        Texts());
    const std::string cable = R"(<edge source="A" target="C" directed="false"/>)";
    EXPECT_EQ(
        ImportAs(DirectedGraphml("directed", capacities, cable), GraphFormat::Graphml).warnings,
        Texts());
    EXPECT_EQ(
        ComplaintAs(LinksJson({R"("bw": "1G")"}, R"(, "directed": true)"), GraphFormat::NodeLink),
        "x: edge[0]: \"A -> C\" must have an opposite direction");
    EXPECT_EQ(ComplaintAs("graph [ directed 1 node [ id 0 ] node [ id 1 ]"
                          "edge [ source 0 target 1 delay \"1 ms\" loss \"1%\" ]"
                          "edge [ source 1 target 0 delay \"1 ms\" loss \"2%\" ] ]",
                          GraphFormat::Gml),
              "x: edge[1]: \"1 -> 0\" must have the loss of its opposite direction");
}

/// Returns node-link JSON of nodes with these ids, of which 0 - 1 and 1 - 2 are linked.
std::string
Numbered(const std::string& list, const Texts& ids)
{
    std::string nodes;
    for (const std::string& id : ids)
    {
        nodes += (nodes.empty() ? "{" : ", {") + (id.empty() ? "" : "\"id\": " + id + ", ") +
                 "\"name\": \"n\", \"lat\": 1, \"lon\": 2}";
    }
    return "{\"nodes\": [" + nodes + "], \"" + list +
           R"(": [{"source": 0, "target": 1, "bw": "1G"}, {"source": 1, "target": 2, "bw": "2G"}]})";
}

// NetworkX before 2.0 and D3 before 4.0 wrote positions in the list of nodes.
TEST(NodeLink, EndsMayBePositionsInTheListOfNodes)
{
    const auto named =
        ImportAs(Numbered("links", {"\"a\"", "\"b\"", "\"c\""}), GraphFormat::NodeLink);
    EXPECT_EQ(named.wan.links[1].from, 1u);
    EXPECT_EQ(named.wan.links[1].to, 2u);
    EXPECT_NE(named.warnings.at(0).find("positions"), std::string::npos);
    const auto without = ImportAs(Numbered("links", {"", "", ""}), GraphFormat::NodeLink);
    EXPECT_EQ(without.wan.links[1].to, 2u);
    EXPECT_EQ(without.wan.sites[2].name, "n (2)"); // all are called n
    EXPECT_EQ(without.warnings, Texts());
    // Nodes with names alone may be meant by these.
    const auto byName = ImportAs(
        R"({"nodes": [{"name": "a", "lat": 1, "long": 2}, {"name": "b", "lat": 1, "long": 3}],
            "links": [{"source": "b", "target": "a", "bw": "1G"}]})",
        GraphFormat::NodeLink);
    EXPECT_EQ(byName.wan.links.at(0).from, 1u);
    EXPECT_EQ(byName.wan.sites[1].name, "b");
    const auto inOrder = ImportAs(Numbered("links", {"0", "1", "2"}), GraphFormat::NodeLink);
    EXPECT_EQ(inOrder.warnings, Texts());
}

TEST(NodeLink, AWarningSaysThatEndsMayBeIdsOrPositions)
{
    const auto shuffled = ImportAs(Numbered("links", {"1", "2", "0"}), GraphFormat::NodeLink);
    EXPECT_EQ(shuffled.wan.links[0].from, 2u); // by id
    ASSERT_EQ(shuffled.warnings.size(), 1u);
    EXPECT_NE(shuffled.warnings[0].find("may be ids of nodes or positions"), std::string::npos);
    // NetworkX 3.4 and later call the list "edges" and have ids.
    EXPECT_EQ(ImportAs(Numbered("edges", {"1", "2", "0"}), GraphFormat::NodeLink).warnings,
              Texts());
    EXPECT_EQ(ComplaintAs(Numbered("edges", {"\"a\"", "\"b\"", "\"c\""}), GraphFormat::NodeLink),
              "x: edge[0].source: \"0\" is the id of no node");
}

} // namespace
