// SPDX-License-Identifier: GPL-2.0-only
// Runs users' own parallel programs in the nodes of a live WAN: a pipeline of PyTorch over gloo,
// beside a simulation with the computation times that it measured, and an all-reduce of OpenMPI.
#include "program-test.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace geotrain
{

namespace
{

class UserPrograms : public ProgramTest
{
  protected:
    static bool HasCommand(const std::string& command)
    {
        return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
    }

    nlohmann::json Json(const std::string& name) const
    {
        return nlohmann::json::parse(Contents(m_folder / name));
    }

    const std::string m_examples = GEOTRAIN_SOURCE_DIR "/scenarios/examples/live/";

    // Two data centres of one node each, 50 Mbit/s, and a round trip of 20 ms.
    const std::string m_wan = R"(
data_center { name: "a" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "10Gbps" stages: 1 }
data_center { name: "b" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "10Gbps" stages: 1 }
wan_link { from: "a" to: "b" rate: "50Mbps" delay: "10ms" queue: "1bdp" }
transport { window: "2MB" connections: 1 }
)";
};

/// Returns the line of a profile that says what a rank's stage, one layer of the simulation, took.
std::string
ProfileLine(int layer, const nlohmann::json& rank)
{
    constexpr double weightShare = 0.5; // of the backward time, which is run as one
    const double backwardMs = 1e3 * rank["backward_s"].get<double>();
    return fmt::format("  profile_line: \"{},1,1,{},{},{}\"\n",
                       layer,
                       1e3 * rank["forward_s"].get<double>(),
                       (1 - weightShare) * backwardMs,
                       weightShare * backwardMs);
}

TEST_F(UserPrograms, APipelineOfPyTorchTakesAsLongAsSimulated)
{
    if (!HasCommand("/usr/bin/python3 -c 'import torch.distributed'"))
    {
        GTEST_SKIP() << "no PyTorch (package python3-torch)";
    }
    Write("live.textproto", m_wan + "transfer { from: \"a\" to: \"b\" size: \"1MB\" }\n");
    const auto stage = [this](int rank)
    {
        return fmt::format(
            "RANK={} MASTER_ADDR={{a/0}} GLOO_SOCKET_IFNAME=eth0 HIDDEN=128 SEQUENCE=256 "
            "/usr/bin/python3 {}pipeline.py",
            rank,
            m_examples);
    };
    // Rank 0 leads, and its peer waits for it at the end of an iteration.
    const auto live = Geotrain(
        fmt::format("live live.textproto --out live --quiet --exec 'b/0: {}' --exec 'a/0: {}'",
                    stage(1),
                    stage(0)));
    if (live.code != 0)
    {
        GTEST_SKIP() << live.error;
    }
    ASSERT_EQ(Json("live/live.json")["programs"][1]["exit_code"], 0)
        << Contents(m_folder / "live/exec-2.txt");
    const auto first = Json("live/exec-2.txt");
    const auto last = Json("live/exec-1.txt");
    Write("simulated.textproto",
          "model {\n  transformer { layers: 2 hidden: 128 heads: 4 vocabulary: 1000 }\n"
          "  sequence: 256 microbatches: 8 precision: FP32\n"
          "  profile_line: "
          "\"layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms\"\n" +
              ProfileLine(0, first) + ProfileLine(1, last) +
              "  profile_line: \"embedding,1,1,0.001,0.001,0.001\"\n"
              "  profile_line: \"head,1,1,0.001,0.001,0.001\"\n}\n"
              "parallelism { pipeline_stages: 2 }\nschedule { name: \"gpipe\" }\n" +
              m_wan);
    const auto simulated = Geotrain("run simulated.textproto --out run --json --quiet");
    ASSERT_EQ(simulated.code, 0) << simulated.error;
    const double ours = nlohmann::json::parse(simulated.out)["iteration_time_s"];
    const double real = first["iteration_s"];
    fmt::print("an iteration takes {:.3f} s, and {:.3f} s in simulation\n", real, ours);
    // 15 %: computations of one iteration differ from their mean, which the simulation takes for
    // each; the optimiser's step and Python's own time are not simulated.
    EXPECT_NEAR(real, ours, 0.15 * ours);
}

TEST_F(UserPrograms, AnAllReduceOfOpenMpiCrossesTheWan)
{
    if (!HasCommand("command -v mpirun") || !HasCommand("command -v mpicc"))
    {
        GTEST_SKIP() << "no OpenMPI (packages openmpi-bin and libopenmpi-dev)";
    }
    Write("live.textproto", m_wan + "transfer { from: \"a\" to: \"b\" size: \"1MB\" }\n");
    ASSERT_TRUE(HasCommand(
        fmt::format("mpicc -o '{0}/allreduce' '{1}allreduce.c'", m_folder.string(), m_examples)));
    const auto live = Geotrain(
        fmt::format("live live.textproto --out live --quiet --exec 'b/0: {1}start-on-node.sh serve "
                    "{0} {{b/0}}' "
                    "--exec 'a/0: FOLDER={0} OMPI_ALLOW_RUN_AS_ROOT=1 "
                    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 100 "
                    "mpirun --mca plm_rsh_agent {1}start-on-node.sh --mca btl tcp,self --mca "
                    "btl_tcp_if_include eth0 "
                    "--mca oob_tcp_if_include eth0 --host {{a/0}}:1,{{b/0}}:1 -n 2 {0}/allreduce'",
                    m_folder.string(),
                    m_examples));
    if (live.code != 0)
    {
        GTEST_SKIP() << live.error;
    }
    const std::string output = Contents(m_folder / "live/exec-2.txt");
    ASSERT_EQ(Json("live/live.json")["programs"][1]["exit_code"], 0) << output;
    std::istringstream lines(output);
    int count = 0;
    for (double seconds = 0; lines >> seconds; ++count)
    {
        // Each node sends what the other lacks, 4 MB at 50 Mbit/s, if nothing is compressed.
        EXPECT_GE(seconds, 0.98 * 8 * 4e6 / 50e6) << output;
        EXPECT_LE(seconds, 10) << output;
    }
    EXPECT_EQ(count, 5) << output;
}

} // namespace
} // namespace geotrain
