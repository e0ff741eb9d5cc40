// SPDX-License-Identifier: GPL-2.0-only
// Draws shapes, rates, delays, queues and windows independently of each other.
#include "shared-queue-runs.h"

#include "analytic/analytic-network.h"
#include "loader/scenario-loader.h"
#include "scenario-runs.h"
#include "units/random-stream.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

namespace geotrain
{

namespace
{

enum class Shape
{
    Chain,
    Star,
    ParkingLot, ///< a chain whose pipelines visit the data centres in another order
    Ring
};

/// Draws the parts of one scenario.
class ScenarioDraw
{
  public:
    explicit ScenarioDraw(std::uint64_t number)
        : m_random(number, "shared-queue", "scenario"),
          m_shape(static_cast<Shape>(number % 4)),
          m_crossesReplicas(number % 3 == 2),
          m_sites(OneOf({3, 4})),
          m_nodes(OneOf({1, 2, 3})),
          m_queue(OneOf({0.25, 0.5, 1, 2, 4, 8, 20}))
    {
    }

    std::string Text()
    {
        const std::string links = Links();
        return Work() + Sites() + links + Transport();
    }

  private:
    double OneOf(const std::vector<double>& values)
    {
        const auto index = m_random.Uniform() * static_cast<double>(values.size());
        return values[static_cast<std::size_t>(index)];
    }

    std::string Work()
    {
        const double stages = m_crossesReplicas ? 1 : m_sites;
        const double replicas = m_crossesReplicas ? m_sites * m_nodes : m_nodes;
        const std::string schedule = OneOf({0, 1}) > 0 ? "gpipe" : "1f1b";
        return fmt::format(
            "model {{ transformer {{ layers: {} hidden: {} heads: 32 vocabulary: 32000 }} "
            "sequence: 1024 microbatch_size: 2 microbatches: {} recomputation: FULL }}\n"
            "parallelism {{ pipeline_stages: {} data_parallel: {} {} }}\nschedule {{ {} }}\n",
            m_crossesReplicas ? 4 : 4 * m_sites,
            m_crossesReplicas ? 1024 : 2048,
            OneOf({4, 6}),
            stages,
            replicas,
            m_crossesReplicas ? "across: REPLICAS" : "",
            m_crossesReplicas ? "all_reduce_buckets: 1" : "name: \"" + schedule + "\"");
    }

    std::string Sites()
    {
        std::string text = m_shape == Shape::Star ? "transit_site { name: \"hub\" }\n" : "";
        for (int site = 0; site < static_cast<int>(m_sites); ++site)
        {
            text += fmt::format("data_center {{ name: \"d{}\" nodes: {} gpus_per_node: 1 gpu: "
                                "\"A100-80\" nic_rate: \"100Gbps\" {}: {} }}\n",
                                site,
                                m_nodes,
                                m_crossesReplicas ? "replicas" : "stages",
                                m_crossesReplicas ? m_nodes : 1);
        }
        return text;
    }

    std::string Link(const std::string& from, const std::string& to)
    {
        const double rate = OneOf({1, 2, 3, 5, 10});
        const double delay = OneOf({1, 3, 5, 10, 20, 35, 50});
        return fmt::format("wan_link {{ from: \"{}\" to: \"{}\" rate: \"{}Gbps\" delay: \"{}ms\" "
                           "queue: \"{}bdp\" }}\n",
                           from,
                           to,
                           rate,
                           delay,
                           m_queue);
    }

    std::string Links()
    {
        const int count = static_cast<int>(m_sites);
        std::vector<int> order(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), 0);
        if (m_shape == Shape::ParkingLot)
        {
            std::swap(order[1], order[2]);
        }
        const auto name = [&order, count](int index)
        { return fmt::format("d{}", order[static_cast<std::size_t>(index % count)]); };
        std::string text;
        const int last = m_shape == Shape::Ring || m_shape == Shape::Star ? count : count - 1;
        for (int index = 0; index < last; ++index)
        {
            text += Link(name(index), m_shape == Shape::Star ? "hub" : name(index + 1));
        }
        return text;
    }

    std::string Transport()
    {
        const double mtu = OneOf({1500, 9000, 9000});
        const double connections = OneOf({1, 2, 4, 8});
        const double window = OneOf({0.3, 0.8, 2, 4, 8, 16});
        return fmt::format("mtu: {}\ntransport {{ connections: {} window: \"{}MB\" }}\n",
                           mtu,
                           connections,
                           window);
    }

    RandomStream m_random;
    Shape m_shape;
    bool m_crossesReplicas; ///< data parallelism is over the WAN, instead of pipelines
    double m_sites;
    double m_nodes; ///< per site
    double m_queue; ///< bandwidth-delay products
};

} // namespace

SharedQueueTimes
RunOverBoth(const std::string& text)
{
    auto scenario = LoadScenario({"shared-queue", ".", text});
    SharedQueueTimes times;
    const Summary packets = RunOnce(scenario);
    times.packets = packets.Find("iteration_time").value_or(0);
    times.retransmitted = packets.Find("retransmitted_bytes").value_or(0);
    scenario.run.network = &AnalyticNetwork::StaticKind();
    times.analytic = RunOnce(scenario).Find("iteration_time").value_or(0);
    return times;
}

std::string
DrawScenario(std::uint64_t number)
{
    return ScenarioDraw(number).Text();
}

} // namespace geotrain
