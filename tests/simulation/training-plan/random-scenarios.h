// SPDX-License-Identifier: GPL-2.0-only
// Draws small training scenarios at random: shapes, schedules, data centres, sharing, hosts,
// recomputation, ZeRO-1, tensor parallelism. The loader refuses many of them, and the caller then
// draws again.
#pragma once

#include "schedule/schedule-catalogue.h"

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace geotrain
{

/// RandomScenarios gives the same texts for the same seed on every machine.
class RandomScenarios
{
  public:
    explicit RandomScenarios(std::uint64_t seed)
        : m_random(seed)
    {
    }

    std::string Next()
    {
        const auto dataCenters = static_cast<std::uint32_t>(Draw(1, 3));
        const auto width = std::uint64_t{1} << Draw(0, 1);
        std::string text = Model() + Training(dataCenters, width) + Transport();
        for (std::uint32_t i = 0; i < dataCenters; ++i)
        {
            text += DataCenter(i, width);
            text += i == 0 ? "" : Link(i);
        }
        return text + "run { network: ANALYTIC warmup_iterations: 0 iterations: 1 }\n";
    }

  private:
    std::uint64_t Draw(std::uint64_t least, std::uint64_t most)
    {
        return least + m_random() % (most - least + 1);
    }

    template <typename Value>
    Value OneOf(const std::vector<Value>& values)
    {
        return values[Draw(0, values.size() - 1)];
    }

    std::string Model()
    {
        const auto layers = Draw(4, 16);
        return fmt::format("model {{ transformer {{ layers: {} hidden: 2048 heads: 16 vocabulary: 32000 "
                           "tied_embeddings: {} }} sequence: 1024 microbatch_size: {} "
                           "microbatches: {} recomputation: {} }}\n",
                           layers,
                           Draw(0, 1) == 0 ? "true" : "false",
                           Draw(1, 2),
                           Draw(2, 12),
                           OneOf<std::string>({"NONE", "SELECTIVE", "FULL"}));
    }

    std::string Training(std::uint32_t dataCenters, std::uint64_t width)
    {
        std::vector<std::string> names;
        for (const auto& schedule : ScheduleCatalogue())
        {
            names.push_back(schedule.name);
        }
        const auto replicas = Draw(1, 4);
        const bool across = dataCenters > 1 && replicas > 1 && Draw(0, 4) == 0;
        std::string text = fmt::format(
            "parallelism {{ pipeline_stages: {} data_parallel: {} tensor_parallel: {} "
            "shard_optimizer: {} {} {} }}\n",
            Draw(1, 4),
            replicas,
            width,
            Draw(0, 1) == 0 ? "true" : "false",
            across ? OneOf<std::string>({"across: REPLICAS", "across: REPLICAS_HIERARCHICAL"}) : "",
            replicas % 2 == 0 && Draw(0, 1) == 0 ? "cell_size: 2" : "");
        text += fmt::format("schedule {{ name: \"{}\" {} {} }}\n",
                            OneOf(names),
                            Draw(0, 2) == 0 ? fmt::format("memory_cap: {}", Draw(2, 12)) : "",
                            Draw(0, 3) == 0 ? "warmup_factor: 2" : "");
        return text + (Draw(0, 1) == 0 ? "sharing: TEMPORAL\n" : "");
    }

    std::string Transport()
    {
        std::string text = fmt::format("mtu: {}\n", OneOf<std::string>({"1500", "9000"}));
        text += fmt::format("transport {{ connections: {} window: \"{}\" }}\n",
                            Draw(1, 20),
                            OneOf<std::string>({"1MB", "4MB", "64MB"}));
        return text + (Draw(0, 1) == 0 ? "caps { node_pair: \"5Gbps\" }\n" : "");
    }

    std::string DataCenter(std::uint32_t index, std::uint64_t width)
    {
        return fmt::format("data_center {{ name: \"dc{}\" nodes: {} gpus_per_node: {} gpu: \"{}\" "
                           "nic_rate: \"{}Gbps\" }}\n",
                           index,
                           Draw(1, 5),
                           width * Draw(1, 4),
                           OneOf<std::string>({"A100-80", "H100"}),
                           OneOf<std::string>({"25", "100"}));
    }

    std::string Link(std::uint32_t to)
    {
        return fmt::format("wan_link {{ from: \"dc{}\" to: \"dc{}\" rate: \"{}Gbps\" delay: \"{}ms\" }}\n",
                           to - 1,
                           to,
                           OneOf<std::string>({"10", "100"}),
                           Draw(1, 40));
    }

    std::mt19937_64 m_random;
};

} // namespace geotrain
