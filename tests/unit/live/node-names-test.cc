// SPDX-License-Identifier: GPL-2.0-only
// Tests how a user names nodes of a live WAN, in options and in commands.
#include "live/node-names.h"

#include "error-text.h"

#include "live-wan/model/live-addresses.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Three data centres with 2, 3 and 1 nodes; names may have colons, slashes and spaces.
WanTopology
ThreeSites()
{
    WanTopology topology;
    for (const auto& [name, nodes] :
         {std::pair("dc-a", 2u), std::pair("eu:west/1", 3u), std::pair("New York", 1u)})
    {
        WanTopology::Site site;
        site.name = name;
        site.nodes = nodes;
        topology.sites.push_back(site);
    }
    return topology;
}

std::string
AddressOf(std::uint32_t node)
{
    return ns3::LiveAddresses::TextOf(node);
}

TEST(NodeNames, CountThroughTheDataCentres)
{
    const auto topology = ThreeSites();
    const std::pair<const char*, std::uint32_t> nodes[] = {{"dc-a/0", 0},
                                                           {"dc-a/1", 1},
                                                           {"eu:west/1/0", 2},
                                                           {"eu:west/1/2", 4},
                                                           {"New York/0", 5}};
    for (const auto& [name, node] : nodes)
    {
        EXPECT_EQ(NodeCalled(name, topology, "--shell"), node);
        EXPECT_EQ(NameOfNode(node, topology), name);
    }
}

TEST(NodeNames, ThatAreNoneAreRefusedWithWhatTheyMustBe)
{
    const auto topology = ThreeSites();
    const std::string ofA = "must be dc-a/N with N below 2, the number of dc-a's nodes";
    for (const std::string name : {"dc-a/2", "dc-a/", "dc-a/x", "dc-a/-1", "dc-a/99999999999999"})
    {
        EXPECT_EQ(ErrorText([&] { NodeCalled(name, topology, "--shell"); }),
                  "--shell: \"" + name + "\" " + ofA);
    }
    const auto unknown = ErrorText([&] { NodeCalled("dc-b/0", topology, "--exec"); });
    EXPECT_EQ(unknown.rfind("--exec: \"dc-b/0\" ", 0), 0u) << unknown;
    EXPECT_NE(unknown.find("dc-a"), std::string::npos) << unknown; // the nearest
    EXPECT_NE(ErrorText([&] { NodeCalled("dc-a", topology, "--shell"); }), ""); // no number
}

TEST(NodeNames, InBracesBecomeAddresses)
{
    const auto topology = ThreeSites();
    const std::string tooLong = "echo {" + std::string(100000, 'a');
    const std::pair<std::string, std::string> cases[] = {
        {tooLong, tooLong},
        {"ping {dc-a/1}", "ping " + AddressOf(1)},
        {"{dc-a/0},{eu:west/1/2}", AddressOf(0) + "," + AddressOf(4)},
        {"nc {New York/0} 80", "nc " + AddressOf(5) + " 80"},
        {"no node", "no node"},
        {"", ""},
        {"awk '{print $1/2}'", "awk '{print $1/2}'"},
        {"echo {} {x} ${HOME}", "echo {} {x} ${HOME}"},
        {"{{dc-a/1}}", "{" + AddressOf(1) + "}"}};
    for (const auto& [text, replaced] : cases)
    {
        EXPECT_EQ(WithAddresses(text, topology, "--exec"), replaced);
    }
}

TEST(NodeNames, InBracesThatAreMisspeltAreRefused)
{
    const auto topology = ThreeSites();
    for (const auto* text : {"ping {dc-b/0}", "ping {dc-a/7}"})
    {
        const auto error = ErrorText([&] { WithAddresses(text, topology, "--exec"); });
        EXPECT_EQ(error.rfind("--exec: ", 0), 0u) << error;
    }
}

TEST(NodeCommands, AreApartAtTheColonBehindTheName)
{
    const auto topology = ThreeSites();
    struct Case
    {
        const char* text;
        const char* node;
        const char* command;
    };
    const Case cases[] = {{"dc-a/0: iperf3 -s", "dc-a/0", "iperf3 -s"},
                          {"dc-a/0:iperf3", "dc-a/0", "iperf3"},
                          {"dc-a/1: curl http://x:80/", "dc-a/1", "curl http://x:80/"},
                          {"eu:west/1/2: date", "eu:west/1/2", "date"},
                          {"New York/0: a: b", "New York/0", "a: b"},
                          {"other/0: date", "other/0", "date"}}; // NodeCalled() refuses it
    for (const auto& one : cases)
    {
        const auto [node, command] = NodeAndCommand(one.text, topology);
        EXPECT_EQ(node, one.node);
        EXPECT_EQ(command, one.command);
    }
}

TEST(NodeCommands, NeedBoth)
{
    for (const std::string text : {"dc-a/0", "dc-a/0:", "dc-a/0:  ", "", "iperf3 -s"})
    {
        const auto error = ErrorText([&] { NodeAndCommand(text, ThreeSites()); });
        EXPECT_NE(error.find("must be NODE: COMMAND"), std::string::npos) << text << ": " << error;
    }
}

} // namespace
} // namespace geotrain
