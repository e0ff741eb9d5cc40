// SPDX-License-Identifier: GPL-2.0-only
// Which class of traffic each job's kinds of messages have, and what does not go with classes.
#include "loader/scenario-loader.h"

#include "small-scenario.h"

#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

constexpr const char* twoJobs = R"(
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "5ms" }
job { name: "first" nodes { data_center: "a" count: 1 } nodes { data_center: "b" count: 1 }
  model { transformer { layers: 2 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 512 microbatches: 2 }
  parallelism { pipeline_stages: 2 } }
job { name: "second"
  model { transformer { layers: 2 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 512 microbatches: 2 }
  parallelism { pipeline_stages: 2 } }
)";

/// Returns the name of the class of a job's messages of a kind; "" is that of what fits in none.
std::string
ClassOf(const Experiment& loaded, std::size_t job, MessageKind kind)
{
    const auto& owners = loaded.jobs[job].owners;
    const auto number = owners.size() > 1 ? static_cast<std::size_t>(kind) : 0;
    return loaded.testbed.wan.classes[loaded.testbed.classOfOwner.at(owners[number])].name;
}

TEST(TrafficClasses, TheFirstThatFitsHasAMessage)
{
    const auto loaded =
        LoadText(twoJobs,
                 {"traffic_class[0]={name: \"urgent\" kind: ACTIVATIONS priority: 2}",
                  "traffic_class[1]={name: \"second\" job: \"second\" weight: 3}",
                  "traffic_class[2]={name: \"bulk\" kind: GRADIENTS priority: -1}"});
    EXPECT_EQ(ClassOf(loaded, 0, MessageKind::Activations), "urgent");
    EXPECT_EQ(ClassOf(loaded, 1, MessageKind::Activations), "urgent");
    EXPECT_EQ(ClassOf(loaded, 0, MessageKind::Gradients), "bulk");
    EXPECT_EQ(ClassOf(loaded, 1, MessageKind::Gradients), "second");
    EXPECT_EQ(ClassOf(loaded, 1, MessageKind::Other), "second");
    EXPECT_EQ(ClassOf(loaded, 0, MessageKind::Other), "");
    // What sends beside jobs fits in none: it is the first, which connections have that say nothing.
    EXPECT_EQ(loaded.testbed.wan.classes[0].name, "");
    EXPECT_EQ(loaded.testbed.wan.classes[loaded.testbed.classOfOwner[2]].name, "");
    // No two have the same connections.
    EXPECT_EQ(loaded.jobs[0].owners, (std::vector<OwnerIndex>{0, 3, 5}));
    EXPECT_EQ(loaded.jobs[1].owners, (std::vector<OwnerIndex>{1, 4, 6}));
}

TEST(TrafficClasses, WhatSendsBesideJobsMayHaveOneToo)
{
    const auto loaded =
        LoadText(twoJobs,
                 {"traffic_class[0]={name: \"jobs\" job: \"first\" job: \"second\" priority: 1}",
                  "traffic_class[1]={name: \"beside\" job: \"transfer\" weight: 2}"});
    EXPECT_EQ(loaded.testbed.wan.classes[0].name, "beside");
    EXPECT_EQ(ClassOf(loaded, 0, MessageKind::Activations), "jobs");
    EXPECT_EQ(loaded.jobs[0].owners.size(), 1U); // kinds are not told apart
}

TEST(TrafficClasses, OneTrainingHasThemByKind)
{
    const auto loaded =
        LoadSmall({"traffic_class[0]={name: \"urgent\" kind: ACTIVATIONS weight: 4}"});
    EXPECT_EQ(loaded.jobs[0].owners, (std::vector<OwnerIndex>{0, 2, 3}));
    EXPECT_EQ(ClassOf(loaded, 0, MessageKind::Activations), "urgent");
    EXPECT_EQ(ClassOf(loaded, 0, MessageKind::Gradients), "");
    EXPECT_EQ(LoadSmall({}).testbed.wan.classes.size(), 0U);
    EXPECT_EQ(LoadSmall({}).jobs[0].owners, (std::vector<OwnerIndex>{0}));
}

TEST(TrafficClasses, WhatDoesNotGoWithThemIsRefused)
{
    const auto errorOf = [&](const std::string& set) {
        return ErrorOfText(twoJobs, {"traffic_class[0]={name: \"x\" kind: ACTIVATIONS}", set});
    };
    EXPECT_EQ(errorOf("transport.bearer=DEVICE"),
              "small.textproto: traffic_class[0].name: \"x\" must not be so with transport.bearer "
              "DEVICE");
    EXPECT_EQ(
        errorOf("job[0].priority=2"),
        "small.textproto: traffic_class: must not be there with job.priority: give a class the "
        "job");
    EXPECT_EQ(
        errorOf("wan_link[0].fq_codel={}"),
        "small.textproto: traffic_class.priority: must be the same for all, since the link \"a "
        "-> b\" has fq_codel, which knows no priorities");
    EXPECT_EQ(errorOf("traffic_class[0]={name: \"y\" job: \"third\"}"),
              "small.textproto: traffic_class[0].job: \"third\" is the name of no job");
    EXPECT_EQ(
        errorOf("traffic_class[0]={name: \"y\" rate: \"1Mbps\" police: true burst: \"600B\"}"),
        "small.textproto: traffic_class[0].burst: \"600B\" must be >= the MTU");
    EXPECT_EQ(errorOf("traffic_class[0]={name: \"y\" police: true}"),
              "small.textproto: traffic_class[0].police: \"true\" needs traffic_class[0].rate");
    EXPECT_EQ(errorOf("traffic_class[0]={name: \"y\" dscp: \"AF44\"}"),
              "small.textproto: traffic_class[0].dscp: \"AF44\" must be EF, VOICE-ADMIT, LE, DF, "
              "CS0 to CS7, AF11 to AF43 or 0 to 63");
    EXPECT_EQ(errorOf("traffic_class[0]={name: \"y\" marks_only: true}"),
              "small.textproto: traffic_class[0].marks_only: \"true\" needs traffic_class[0].dscp");
    EXPECT_EQ(errorOf("traffic_class[0]={name: \"y\" dscp: \"EF\" marks_only: true weight: 2}"),
              "small.textproto: traffic_class[0].marks_only: \"true\" must not be set with "
              "traffic_class[0].weight");
}

TEST(TrafficClasses, MarksHaveTheNamesOfTheRfcs)
{
    const auto markOf = [](const std::string& text)
    {
        const std::string set =
            "traffic_class[0]={name: \"x\" kind: ACTIVATIONS dscp: \"" + text + "\"}";
        return static_cast<int>(LoadSmall({set}).testbed.wan.classes[1].dscp);
    };
    EXPECT_EQ(markOf("EF"), 46);          // RFC 3246, section 2.7
    EXPECT_EQ(markOf("VOICE-ADMIT"), 44); // RFC 5865
    EXPECT_EQ(markOf("LE"), 1);           // RFC 8622
    EXPECT_EQ(markOf("AF11"), 10);        // RFC 2597, section 6
    EXPECT_EQ(markOf("AF23"), 22);
    EXPECT_EQ(markOf("AF41"), 34);
    EXPECT_EQ(markOf("CS1"), 8); // RFC 2474, section 4.2.2
    EXPECT_EQ(markOf("CS7"), 56);
    EXPECT_EQ(markOf("63"), 63);
    EXPECT_EQ(markOf("DF"), 0);
    EXPECT_EQ(markOf("7"), 7);
}

TEST(TrafficClasses, MarksAloneLeaveQueuesAsTheyAre)
{
    const std::string marks =
        "traffic_class[0]={name: \"x\" kind: ACTIVATIONS dscp: \"EF\" marks_only: true}";
    const auto loaded = LoadSmall({marks});
    EXPECT_FALSE(ServeUnlike(loaded.testbed.wan.classes));
    EXPECT_EQ(ClassOf(loaded, 0, MessageKind::Activations), "x");
    // What goes with no class that has a queue: another bearer, a queue of its own, recorded packets.
    EXPECT_NO_THROW(LoadSmall({marks, "transport.bearer=DEVICE", "wan_link[0].codel={}"}));
    EXPECT_NO_THROW(LoadSmall({marks, "run.packet_trace[0]=a -> b"}));
    // Beside a class with a queue it has that of what fits in none.
    const auto beside =
        LoadSmall({marks, "traffic_class[1]={name: \"y\" kind: OTHER priority: -1}"});
    const auto& classes = beside.testbed.wan.classes;
    EXPECT_TRUE(ServeUnlike(classes));
    const std::uint32_t marked = beside.testbed.classOfOwner[0];
    ASSERT_TRUE(classes[marked].waitsIn);
    EXPECT_EQ(classes[*classes[marked].waitsIn].name, "");
    EXPECT_EQ(ClassOfMark(46, classes), marked);
    EXPECT_EQ(classes[ClassOfMark(12, classes)].dscp, 0); // of no class
}

} // namespace

} // namespace geotrain
