// SPDX-License-Identifier: GPL-2.0-only
// Trains a model with an in-network optimizer over packets, and prints what an iteration took beside
// the estimate. Exits with 1 where a setting is wrong, and with 2 where not all was done.
//
//    worker 0 --+
//       ...     +-- switch -- server      each link: 100 Gbit/s, 1 us
//    worker 7 --+
#include "in-network-optimizer/helper/in-network-estimate.h"
#include "units/config-error.h"
#include "wan-topology/model/heap-simulator-impl.h"

#include <ns3/command-line.h>
#include <ns3/simulator.h>

#include <iostream>

namespace
{

/// Options are what the command line says.
struct Options
{
    ns3::InNetworkClusterSettings settings;
    double parameters = 1.3e9; ///< of the model
    std::uint32_t layers = 24;
    std::uint32_t microbatch = 16;  ///< sequences of 1,024 tokens
    double flopsPerSecond = 187e12; ///< that a GPU achieves: 60 % of an A100
    std::uint32_t iterations = 1;
    bool packets = true;
};

Options
ParseOptions(int argc, char** argv)
{
    Options options;
    std::uint32_t payload = 4096;
    double ssd = 26;
    ns3::CommandLine command(__FILE__);
    command.AddValue("workers", "number of workers", options.settings.workers);
    command.AddValue("parameters", "parameters of the model", options.parameters);
    command.AddValue("layers", "layers, all alike", options.layers);
    command.AddValue("microbatch", "sequences of 1,024 tokens a worker", options.microbatch);
    command.AddValue("flops", "FLOP/s that a GPU achieves", options.flopsPerSecond);
    command.AddValue("iterations", "iterations", options.iterations);
    command.AddValue("payload", "bytes of gradients in a packet", payload);
    command.AddValue("ssd", "GB/s a direction of the server's SSDs", ssd);
    command.AddValue(
        "loss", "share of packets that a link loses", options.settings.impairments.lossRate);
    command.AddValue("packets", "false: the estimate alone", options.packets);
    command.Parse(argc, argv);
    options.settings.aggregation.payload = geotrain::Bytes::Of(payload);
    options.settings.server.ssd =
        geotrain::BitRate::BitsPerSecond(static_cast<std::int64_t>(ssd * 8e9));
    return options;
}

std::vector<ns3::TrainingLayer>
LayersOf(const Options& options)
{
    const double parameters = options.parameters / options.layers;
    const double forward = 2 * parameters * 1024 * options.microbatch / options.flopsPerSecond;
    return std::vector<ns3::TrainingLayer>(
        options.layers,
        {static_cast<std::int64_t>(parameters),
         geotrain::Duration::Seconds(forward),
         geotrain::Duration::Seconds(3 * forward)}); // backward with recomputation
}

void
Print(const char* name, const Options& options, geotrain::Duration iteration)
{
    std::cout << name << ": " << iteration.ToSeconds() << " s, "
              << 1024.0 * options.microbatch / iteration.ToSeconds() << " tokens/s per GPU\n";
}

int
Train(const Options& options)
{
    ns3::InNetworkCluster cluster(options.settings);
    ns3::InNetworkTraining training(cluster, LayersOf(options), options.iterations);
    const ns3::InNetworkTraining::Result result = training.Run();
    for (const std::string& wait : result.waits)
    {
        std::cerr << wait << "\n";
    }
    if (!result.waits.empty())
    {
        return 2;
    }
    Print("packets", options, result.IterationTime());
    std::cout << cluster.PacketHops() << " packet-hops\n";
    return 0;
}

} // namespace

int
main(int argc, char** argv)
{
    try
    {
        const Options options = ParseOptions(argc, argv);
        ns3::UseHeapSimulator();
        options.settings.Check();
        Print("estimate", options, ns3::EstimateIteration(options.settings, LayersOf(options)));
        const int code = options.packets ? Train(options) : 0;
        ns3::Simulator::Destroy();
        return code;
    }
    catch (const geotrain::ConfigError& error)
    {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
