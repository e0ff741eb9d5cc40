// SPDX-License-Identifier: GPL-2.0-only
// Holds an iteration on the analytic network against packets, as `geotrain run` has both, where nothing
// is lost: each within 3 %, and within 15 % where several servers share the workers' links. GPUs compute in no time and servers never bind, so that the network alone
// decides.
#pragma once

#include "loader/scenario-loader.h"
#include "scenario-runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

namespace geotrain
{

inline constexpr const char* network = R"(
model {{
  transformer {{ layers: 4 hidden: {} heads: 8 vocabulary: 1 tied_embeddings: false }}
  sequence: 128 microbatches: {} microbatch_size: 1 recomputation: FULL attention: FUSED
}}
gpu_type {{
  name: "of-the-test" peak_tflops: {} memory: "4000GB" bandwidth_gb_per_s: 10000000 nvlink_gb_per_s: 300
  efficiency {{ matmul: 1 half_side: 0 memory: 1 attention: 1 }}
}}
data_center {{ name: "dc" nodes: 40 gpus_per_node: 1 gpu: "of-the-test" nic_rate: "{}Gbps" intra_delay: "{}" }}
mtu: {}
transport {{ window: "{}" }}
parallelism {{ data_parallel: {} {} }}
{}
run {{ network: {} warmup_iterations: 1 iterations: 2 deadline: "10h" memory_check: WARN }}
)";

/// A NetworkCase is a cell of the grid.
struct NetworkCase
{
    std::string system; ///< fields of `parallelism`
    std::string switches;
    std::uint32_t workers = 4;
    int hidden = 208; ///< a layer has 12 times its square of parameters: 1 MB
    int gigabitsPerSecond = 100;
    int mtu = 9000;
    int microbatches = 1;
    double tflops = 1e6;   ///< of a GPU
    std::string servers{}; ///< fields of `in_network`; with ssd_rate the servers' speed is real
    std::string window = "64MB"; ///< of TCP
    std::string delay = "2us";   ///< one way between two nodes

    std::string Text(const char* kind) const
    {
        const bool hasNoSwitch = switches.empty();
        const bool hasServer = system.find("IN_NETWORK") != std::string::npos;
        const bool isReal = servers.find("ssd_rate") != std::string::npos;
        const std::string server =
            !hasServer ? "acknowledgement: RESULT"
            : isReal   ? ""
                       : "ssd_rate: \"8Tbps\" memory_rate: \"90Tbps\" cpu_tflops: 1000";
        const std::string inNetwork =
            hasNoSwitch ? ""
                        : fmt::format("in_network {{ payload: \"{}B\" {} {} {} }}",
                                      mtu > 1500 ? 4096 : 1024,
                                      server,
                                      switches,
                                      servers);
        return fmt::format(network,
                           hidden,
                           microbatches,
                           tflops,
                           gigabitsPerSecond,
                           delay,
                           mtu,
                           window,
                           workers,
                           system,
                           inNetwork,
                           kind);
    }
};

inline void
PrintTo(const NetworkCase& cell, std::ostream* stream)
{
    *stream << cell.system << ' ' << cell.switches << ' ' << cell.workers << " workers, hidden "
            << cell.hidden << ", " << cell.gigabitsPerSecond << " Gbit/s, MTU " << cell.mtu << ", "
            << cell.microbatches << " microbatches, " << cell.tflops << " TFLOP/s, window "
            << cell.window << ", delay " << cell.delay << ' ' << cell.servers;
}

inline constexpr const char* inNetworkSystem = "data_parallelism: IN_NETWORK";
inline constexpr const char* ringSystem = "data_parallelism: ZERO3 collectives: RING";
inline constexpr const char* treeSystem = "data_parallelism: ZERO3 collectives: TREE";
inline constexpr const char* layerThreads = "threads: LAYER_CENTRIC";
inline constexpr const char* twoServers = "servers: 2";
inline constexpr const char* fourServers = "servers: 4";
inline constexpr const char* eachPacket = "acknowledgement: EACH_PACKET";
inline constexpr const char* addsAtServer = "adds_at_server: true";
inline constexpr const char* sharpSystem = "data_parallelism: REPLICATED";
inline constexpr const char* noSwitch = "";
inline constexpr const char* oneSwitch = "switches: 1";
inline constexpr const char* twoLevels = "switches: 2 switches: 1";
inline constexpr const char* threeLevels = "switches: 4 switches: 2 switches: 1";

/// Runs a cell over packets and on the analytic network. One test has one cell, since ns-3 keeps its
/// simulator in globals.
inline void
ExpectAlike(const NetworkCase& cell)
{
    const auto seconds = [&cell](const char* kind)
    {
        return RunOnce(LoadScenario({"network-grid", ".", cell.Text(kind)}))
            .Find("iteration_time")
            .value_or(0);
    };
    const double packets = seconds("PACKET");
    const double analytic = seconds("ANALYTIC");
    ASSERT_GT(packets, 0);
    const double error = analytic / packets - 1;
    std::printf("%.6f s %.6f s %+6.2f %%\n", packets, analytic, 100 * error);
    // What the page says of the closed form: streams that share servers, or acknowledgements of each
    // packet by each worker, wait for each other in ways that it leaves out; and each level of switches
    // adds heartbeats to short layers.
    const bool waits = cell.servers.find("servers:") != std::string::npos ||
                       cell.servers.find("EACH_PACKET") != std::string::npos;
    const auto levels =
        std::max<std::ptrdiff_t>(1, std::count(cell.switches.begin(), cell.switches.end(), ':'));
    EXPECT_LT(std::abs(error), waits ? 0.15 : 0.03 * static_cast<double>(levels));
}

} // namespace geotrain
