// SPDX-License-Identifier: GPL-2.0-only
// Imports topology files: small ones written here, and those of Topology Zoo and Google where the
// reference data is present.
#include "topology-import/topology-import.h"

#include "wan/wan-paths.h"

#include "units/config-error.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace
{

using geotrain::BitRate;
using geotrain::Duration;
using geotrain::GraphFormat;
using geotrain::ImportOptions;
using geotrain::WanTopology;

ImportOptions
Options()
{
    ImportOptions options;
    options.defaultRate = BitRate::GigabitsPerSecond(10);
    return options;
}

const std::string quitoAndPole = R"(graph [
  node [ id 0 label "Quito" Latitude 0.0 Longitude -78.5 ] # on the equator
  node [ id 7 label "Pole" Latitude 90 Longitude 0 ]
)";

WanTopology
ImportGml(const std::string& text, const ImportOptions& options = Options())
{
    return geotrain::ImportTopologyText(text, GraphFormat::Gml, "x.gml", options).wan;
}

std::string
ImportComplaint(const std::string& text,
                GraphFormat format,
                const ImportOptions& options = Options())
{
    try
    {
        geotrain::ImportTopologyText(text, format, "x", options);
    }
    catch (const geotrain::ConfigError& error)
    {
        return error.what();
    }
    return "";
}

std::string
GmlComplaint(const std::string& text)
{
    return ImportComplaint(text, GraphFormat::Gml);
}

TEST(GreatCircleDelay, AQuarterOfTheEarthTakesAQuarterOfItsCircumference)
{
    // pi/2 x 6,371.0088 km / 200,000 km/s = 50.0378 ms, rounded to a nanosecond.
    const Duration delay = geotrain::GreatCircleDelay({0, -78.5}, {90, 0});
    EXPECT_NEAR(delay.ToSeconds(), 1.5707963267948966 * 6371.0088 / 200000, 1e-9);
}

TEST(GreatCircleDelay, CrossesTheDateLineTheShortWay)
{
    EXPECT_EQ(geotrain::GreatCircleDelay({10, 179}, {10, -179}),
              geotrain::GreatCircleDelay({10, 1}, {10, -1}));
}

TEST(ImportGml, MakesSitesAndLinks)
{
    const WanTopology topology = ImportGml(quitoAndPole + "edge [ source 7 target 0 ] ]");
    ASSERT_EQ(topology.sites.size(), 2u);
    EXPECT_EQ(topology.sites[0].name, "Quito");
    EXPECT_EQ(topology.sites[1].name, "Pole");
    EXPECT_EQ(topology.sites[0].nodes, 0u);
    ASSERT_EQ(topology.links.size(), 1u);
    EXPECT_EQ(topology.links[0].from, 1u);
    EXPECT_EQ(topology.links[0].rate, BitRate::GigabitsPerSecond(10));
    EXPECT_NEAR(topology.links[0].delay.ToSeconds(), 0.0500378, 1e-6);
}

TEST(ImportGml, TakesTheLinkSpeedOfTheFile)
{
    const WanTopology topology = ImportGml(
        quitoAndPole +
        "edge [ source 0 target 7 LinkSpeed \"155\" LinkSpeedUnits \"M\" ]"
        "edge [ source 0 target 7 LinkSpeedRaw 2.5E9 LinkSpeed \"1\" LinkSpeedUnits \"T\" ] ]");
    EXPECT_EQ(topology.links[0].rate, BitRate::BitsPerSecond(155000000));
    EXPECT_EQ(topology.links[1].rate, BitRate::BitsPerSecond(2500000000));
}

TEST(ImportGml, KeepsParallelEdgesAndDropsSelfLoops)
{
    const WanTopology topology = ImportGml(
        quitoAndPole +
        "edge [ source 0 target 7 ] edge [ source 0 target 0 ] edge [ source 7 target 0 ] ]");
    EXPECT_EQ(topology.links.size(), 2u);
}

TEST(ImportGml, MakesEqualLabelsDistinctById)
{
    const WanTopology topology =
        ImportGml("graph [ node [ id 1 label \"?\" Latitude 1 Longitude 1 ]"
                  "node [ id 2 label \"?\" Latitude 2 Longitude 2 ]"
                  "node [ id 3 label \"? (1)\" Latitude 2 Longitude 2 ]"
                  "node [ id 4 Latitude 2 Longitude 2 ] ]");
    EXPECT_EQ(topology.sites[0].name, "? (1)");
    EXPECT_EQ(topology.sites[1].name, "? (2)");
    EXPECT_EQ(topology.sites[2].name, "? (1) (3)");
    EXPECT_EQ(topology.sites[3].name, "4");
}

TEST(ImportGml, DecodesEntities)
{
    const WanTopology topology = ImportGml("graph [ node [ id 1 label \"S&#227;o &quot;P&quot; "
                                           "&amp; &nope;\" Latitude 1 Longitude 1 ] ]");
    EXPECT_EQ(topology.sites[0].name, "S\xc3\xa3o \"P\" & &nope;");
}

TEST(ImportGml, TakesTheTableForNodesWithoutCoordinates)
{
    const std::string text =
        "graph [ node [ id 5 label \"A\" ] node [ id 6 label \"B\" ] edge [ source 5 target 6 ] ]";
    EXPECT_EQ(GmlComplaint(text),
              "x: node: \"A\", \"B\" must have a latitude and longitude, here or in the "
              "coordinates table");
    ImportOptions options = Options();
    options.coordinates = {{"5", {0, 0}}, {"B", {0, 90}}};
    EXPECT_NEAR(ImportGml(text, options).links[0].delay.ToSeconds(), 0.0500378, 1e-6);
}

TEST(ImportGml, RefusesATableEntryThatNamesNoNodeOrSeveral)
{
    const std::string text = "graph [ node [ id 5 label \"A\" Latitude 1 Longitude 1 ]"
                             "node [ id 6 label \"A\" Latitude 1 Longitude 1 ] ]";
    ImportOptions options = Options();
    options.coordinates = {{"Paris", {48, 2}}};
    EXPECT_EQ(ImportComplaint(text, GraphFormat::Gml, options),
              "x: coordinates: \"Paris\" names no node");
    options.coordinates = {{"A", {48, 2}}};
    EXPECT_EQ(ImportComplaint(text, GraphFormat::Gml, options),
              "x: coordinates: \"A\" is the label of several nodes: use their ids");
    options.coordinates = {{"5", {91, 2}}};
    EXPECT_NE(ImportComplaint(text, GraphFormat::Gml, options).find("latitude of -90 to 90"),
              std::string::npos);
}

TEST(ImportGml, BrokenTextNamesTheLine)
{
    EXPECT_EQ(GmlComplaint("graph [\n node [\n id 0\n"),
              "x: line 4: \"the end of the file\" a list is not closed");
    EXPECT_EQ(GmlComplaint("graph [\n node [ id 0 label \"x ]\n"),
              "x: line 2: the string never ends");
    EXPECT_EQ(GmlComplaint("graph [\n node [ label \"x\" ] ]"), "x: line 2: \"node\" has no id");
    EXPECT_EQ(GmlComplaint("graph [\n node [ id ] ]"), "x: line 2: \"]\" must be the value of id");
    EXPECT_EQ(GmlComplaint("graph [\n 5 6 ]"),
              "x: line 2: \"5\" must be a key of letters and digits");
    EXPECT_EQ(GmlComplaint(""), "x: graph: is missing: this is no GML graph");
    EXPECT_EQ(GmlComplaint("graph [ ]"), "x: node: is missing: the graph has no nodes");
}

TEST(ImportGml, RefusesGraphsThatMakeNoSense)
{
    EXPECT_EQ(GmlComplaint(quitoAndPole + "edge [ source 0 target 9 ] ]"),
              "x: edge[0].target: \"9\" is the id of no node");
    EXPECT_EQ(GmlComplaint(quitoAndPole + "node [ id 7 ] ]"),
              "x: node.id: \"7\" is the id of another node too");
    EXPECT_EQ(GmlComplaint(quitoAndPole + "edge [ source 0 target 7 LinkSpeedRaw 0 ] ]"),
              "x: edge[0]: \"0 bit/s\" must be a rate of 1 bit/s to 100 Tbit/s");
    EXPECT_EQ(
        GmlComplaint(quitoAndPole +
                     "edge [ source 0 target 7 LinkSpeed \"10-20\" LinkSpeedUnits \"G\" ] ]"),
        "x: edge[0].LinkSpeed: \"10-20\" must be a number, alone or with a unit such as Mbps");
    EXPECT_EQ(GmlComplaint(quitoAndPole +
                           "edge [ source 0 target 7 LinkSpeed 10 LinkSpeedUnits \"X\" ] ]"),
              "x: edge[0].LinkSpeedUnits: \"X\" must be a unit such as Mbps");
    EXPECT_NE(GmlComplaint("graph [ node [ id 0 Latitude 95 Longitude 0 ] ]").find("-90 to 90"),
              std::string::npos);
}

TEST(ImportGml, RefusesMoreNodesThanAWanMayHave)
{
    std::string graph = "graph [";
    for (int node = 0; node < 4097; ++node)
    {
        graph += " node [ id " + std::to_string(node) + " Latitude 0 Longitude 0 ]";
    }
    EXPECT_EQ(GmlComplaint(graph + "]"), "x: node: \"4097\" nodes: there must be at most 4096");
}

TEST(ImportGml, RefusesDeepNestingWithoutRecursion)
{
    std::string deep = "graph [ x ";
    for (int i = 0; i < 1000000; ++i)
    {
        deep += "[ x ";
    }
    EXPECT_NE(GmlComplaint(deep).find("nested too deep"), std::string::npos);
}

// 20 MB take a fraction of a second. A search for each entity's end through the whole text would
// take a quarter of an hour, which is beyond ctest's time.
TEST(ImportGml, ReadsManyAmpersandsInLinearTime)
{
    const std::string label(20000000, '&');
    ImportOptions options = Options();
    options.coordinates = {{"0", {0, 0}}};
    const WanTopology topology =
        ImportGml("graph [ node [ id 0 label \"" + label + "\" ] ]", options);
    EXPECT_EQ(topology.sites.at(0).name, label);
}

TEST(ImportGml, AnEntityHasTenCharactersAtMost)
{
    ImportOptions options = Options();
    options.coordinates = {{"0", {0, 0}}};
    const auto nameOf = [&options](const std::string& label) {
        return ImportGml("graph [ node [ id 0 label \"" + label + "\" ] ]", options)
            .sites.at(0)
            .name;
    };
    EXPECT_EQ(nameOf("&#00000065;"), "A"); // "&" and ";" are ten characters apart
    EXPECT_EQ(nameOf("&#000000065;"), "&#000000065;");
    EXPECT_EQ(nameOf("&amp;&&lt;"), "&&<");
}

const std::string graphmlHead = R"(<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key attr.name="Latitude" attr.type="double" for="node" id="d1"/>
  <key attr.name="Longitude" attr.type="double" for="node" id="d2"/>
  <key attr.name="label" attr.type="string" for="node" id="d3"/>
  <key for="node" id="d4" yfiles.type="nodegraphics"/>
  <key attr.name="LinkSpeedRaw" attr.type="double" for="edge" id="d5"/>
  <graph edgedefault="directed">
)";

TEST(ImportGraphml, ReadsKeysByNameAndYfilesLabels)
{
    const WanTopology topology =
        geotrain::ImportTopologyText(
            graphmlHead +
                R"(<node id="n0"><data key="d1">0</data><data key="d2">-78.5</data><data key="d3">Quito</data></node>
               <node id="n1"><data key="d1">90</data><data key="d2">0</data>
                 <data key="d4"><y:ShapeNode><y:Fill/><y:NodeLabel>Pole &amp; co</y:NodeLabel></y:ShapeNode></data></node>
               <edge source="n0" target="n1"><data key="d5">1.0E10</data></edge></graph></graphml>)",
            GraphFormat::Graphml,
            "x.graphml",
            Options())
            .wan;
    EXPECT_EQ(topology.sites[0].name, "Quito");
    EXPECT_EQ(topology.sites[1].name, "Pole & co");
    EXPECT_NEAR(topology.links.at(0).delay.ToSeconds(), 0.0500378, 1e-6);
    EXPECT_EQ(topology.links[0].rate, BitRate::GigabitsPerSecond(10));
}

TEST(ImportGraphml, BrokenXmlNamesTheLine)
{
    EXPECT_EQ(ImportComplaint("<graphml>\n<graph>\n</node>", GraphFormat::Graphml)
                  .rfind("x: line 3: ", 0),
              0u);
    EXPECT_EQ(ImportComplaint("<html/>", GraphFormat::Graphml),
              "x: graphml: is missing: this is no GraphML");
    EXPECT_EQ(ImportComplaint("<graphml/>", GraphFormat::Graphml), "x: graph: is missing");
    EXPECT_EQ(ImportComplaint("<graphml><graph>\n<node/></graph></graphml>", GraphFormat::Graphml),
              "x: line 2: \"node\" has no id");
    EXPECT_NE(ImportComplaint("", GraphFormat::Graphml), "");
}

TEST(ImportGraphml, RefusesDeepNesting)
{
    std::string deep = "<graphml>";
    for (int i = 0; i < 100000; ++i)
    {
        deep += "<graph>";
    }
    EXPECT_NE(ImportComplaint(deep, GraphFormat::Graphml), "");
}

TEST(ImportGraphml, RefusesEntitiesThatWouldMultiply)
{
    std::string text = "<!DOCTYPE x [<!ENTITY a \"" + std::string(200000, 'a') +
                       "\">]>\n<graphml><graph><node id=\"n\"><data key=\"d\">";
    for (int i = 0; i < 20000; ++i)
    {
        text += "&a;";
    }
    EXPECT_EQ(ImportComplaint(text + "</data></node></graph></graphml>", GraphFormat::Graphml),
              "x: DOCTYPE: must not declare entities");
}

TEST(ImportNodeLink, JoinsTheTwoDirectionsOfALink)
{
    ImportOptions options = Options();
    options.coordinates = {{"0", {0, 0}}, {"b", {0, 90}}};
    const std::string head = R"({"directed": true, "nodes": [{"id": 0}, {"id": "b"}], "links": [)";
    const WanTopology topology =
        geotrain::ImportTopologyText(
            head +
                R"({"source": 0, "target": "b", "capacity": 5000.0}, {"source": "b", "target": 0, "capacity": 5000.0}]})",
            GraphFormat::NodeLink,
            "x.json",
            options)
            .wan;
    ASSERT_EQ(topology.links.size(), 1u);
    EXPECT_EQ(topology.links[0].rate, BitRate::GigabitsPerSecond(5)); // capacity in Mbit/s
    EXPECT_EQ(
        ImportComplaint(head + R"({"source": 0, "target": "b"}]})", GraphFormat::NodeLink, options),
        "x: edge[0]: \"0 -> b\" must have an opposite direction");
}

// There are 100,000 links of different rates one way, then the other way round. Comparing each with
// each would take ten minutes.
/// D3 and igraph number their nodes and put what they are called into "name". An id that is a word
/// stays the name of its site.
TEST(ImportNodeLink, NumberedNodesGoByTheirNames)
{
    const std::string text = R"({"nodes": [{"id": 0, "name": "A"}, {"id": "n1", "name": "B"},
        {"id": "fra", "name": "Frankfurt am Main"}],
        "edges": [{"source": 0, "target": "n1", "delay_ms": 1},
                  {"source": "n1", "target": "fra", "delay_ms": 1}]})";
    const WanTopology topology =
        geotrain::ImportTopologyText(text, GraphFormat::NodeLink, "x.json", {}).wan;
    ASSERT_EQ(topology.sites.size(), 3u);
    EXPECT_EQ(topology.sites[0].name, "A");
    EXPECT_EQ(topology.sites[1].name, "B");
    EXPECT_EQ(topology.sites[2].name, "fra");
    EXPECT_EQ(topology.links.size(), 2u);
}

TEST(ImportNodeLink, PairsManyDirectionsInOrder)
{
    constexpr int links = 100000;
    ImportOptions options = Options();
    options.coordinates = {{"0", {0, 0}}, {"1", {0, 90}}};
    std::string text = R"({"directed": true, "nodes": [{"id": 0}, {"id": 1}], "links": [)";
    for (int i = 1; i <= links; ++i)
    {
        text += R"({"source": 0, "target": 1, "capacity": )" + std::to_string(i) + "},";
    }
    for (int i = links; i > 0; --i)
    {
        text += R"({"source": 1, "target": 0, "capacity": )" + std::to_string(i) + "}" +
                (i == 1 ? "]}" : ",");
    }
    const WanTopology topology =
        geotrain::ImportTopologyText(text, GraphFormat::NodeLink, "x.json", options).wan;
    ASSERT_EQ(topology.links.size(), static_cast<std::size_t>(links));
    EXPECT_EQ(topology.links.front().rate, BitRate::BitsPerSecond(links * 1000000LL));
    EXPECT_EQ(topology.links.back().rate, BitRate::BitsPerSecond(1000000));
}

TEST(ImportNodeLink, BrokenJsonNamesThePlace)
{
    EXPECT_EQ(ImportComplaint("{\"nodes\": [", GraphFormat::NodeLink),
              "x: byte 12: must be valid JSON");
    EXPECT_EQ(ImportComplaint("[]", GraphFormat::NodeLink),
              "x: must be one JSON object with nodes and links");
    EXPECT_EQ(
        ImportComplaint("{\"nodes\": 3}", GraphFormat::NodeLink),
        "x: nodes: must be a list, as in NetworkX's node_link_data; its adjacency and Cytoscape "
        "data are not read");
    EXPECT_EQ(ImportComplaint("{\"nodes\": [3], \"links\": []}", GraphFormat::NodeLink),
              "x: nodes[0]: must be an object");
    EXPECT_EQ(ImportComplaint("{\"nodes\": [{\"id\": {}}]}", GraphFormat::NodeLink),
              "x: nodes[0].id: must be a string or a whole number");
    EXPECT_NE(ImportComplaint("{\"nodes\": [{\"id\": 1e999}]}", GraphFormat::NodeLink), "");
    EXPECT_EQ(ImportComplaint(std::string(1000000, '['), GraphFormat::NodeLink),
              "x: must nest lists and objects 64 deep at most");
}

TEST(ImportTopology, RefusesWhatItCannotRead)
{
    EXPECT_THROW(geotrain::ImportTopology("/nowhere/x.gml", Options()), geotrain::ConfigError);
    EXPECT_THROW(geotrain::ImportTopology("x.svg", Options()), geotrain::ConfigError);
    EXPECT_THROW(geotrain::ImportTopology("gml", Options()), geotrain::ConfigError);
}

class TopologyZoo : public testing::Test
{
  protected:
    static WanTopology Import(const std::string& name, const ImportOptions& options = Options())
    {
        return geotrain::ImportTopology(Folder() + name, options).wan;
    }

    void SetUp() override
    {
        if (!std::filesystem::exists(Folder()))
        {
            GTEST_SKIP() << "no reference data in " << Folder();
        }
    }

    static std::string Folder()
    {
        return GEOTRAIN_SHARED_DATA "/topologies/";
    }
};

TEST_F(TopologyZoo, AbileneIsConnectedAcrossTheCountry)
{
    const WanTopology topology = Import("zoo_Abilene.gml");
    ASSERT_EQ(topology.sites.size(), 11u);
    ASSERT_EQ(topology.links.size(), 14u);
    EXPECT_EQ(topology.sites[0].name, "New York");
    // New York - Chicago is 1,145 km along the great circle: 5.7 ms.
    EXPECT_NEAR(topology.links[0].delay.ToSeconds(), 0.00572, 0.00003);
    const geotrain::WanPaths paths(topology);
    for (std::uint32_t i = 0; i < 11; ++i)
    {
        for (std::uint32_t j = 0; j < 11; ++j)
        {
            EXPECT_TRUE(paths.SitePath(i, j));
        }
    }
}

TEST_F(TopologyZoo, AttMplsKeepsItsParallelEdge)
{
    const WanTopology topology = Import("zoo_AttMpls.gml");
    EXPECT_EQ(topology.sites.size(), 25u);
    EXPECT_EQ(topology.links.size(), 57u);
    int parallel = 0;
    for (const WanTopology::Link& link : topology.links)
    {
        parallel += link.from == 22 && link.to == 24 ? 1 : 0;
    }
    EXPECT_EQ(parallel, 2);
}

TEST_F(TopologyZoo, BtNorthAmericaNamesItsThreeNodesWithoutCoordinates)
{
    try
    {
        Import("zoo_BtNorthAmerica.gml");
        FAIL() << "was imported without coordinates";
    }
    catch (const geotrain::ConfigError& error)
    {
        EXPECT_NE(std::string(error.what())
                      .find("\"? (3)\", \"Europe\", \"? (26)\" must have a latitude"),
                  std::string::npos)
            << error.what();
    }
    ImportOptions options = Options();
    options.coordinates = {{"3", {40.8, -111.9}}, {"Europe", {51.5, -0.1}}, {"26", {43.7, -79.4}}};
    EXPECT_EQ(Import("zoo_BtNorthAmerica.gml", options).links.size(), 76u);
}

TEST_F(TopologyZoo, GraphmlWithoutCoordinatesTakesTheTableByLabel)
{
    ImportOptions options = Options();
    const WanTopology gml = Import("zoo_Abilene.gml");
    for (const WanTopology::Site& site : gml.sites)
    {
        options.coordinates[site.name] = {*site.latitude, *site.longitude};
    }
    const WanTopology graphml = Import("zoo_Abilene.graphml", options);
    EXPECT_EQ(graphml.sites.size(), 11u);
    EXPECT_EQ(graphml.links.size(), 14u);
    EXPECT_THROW(Import("zoo_Abilene.graphml"), geotrain::ConfigError);
}

TEST_F(TopologyZoo, B4JoinsItsThirtyEightDirections)
{
    ImportOptions options = Options();
    for (int node = 0; node < 12; ++node)
    {
        options.coordinates[std::to_string(node)] = {0, 10.0 * node};
    }
    const WanTopology topology = Import("teal_B4.json", options);
    EXPECT_EQ(topology.sites.size(), 12u);
    EXPECT_EQ(topology.links.size(), 19u);
    EXPECT_EQ(topology.links[0].rate, BitRate::GigabitsPerSecond(5));
}

} // namespace
