// SPDX-License-Identifier: GPL-2.0-only
#include "loader/cross-traffic-section.h"

#include "loader/inlined-lines.h"
#include "loader/network-kinds.h"
#include "loader/network-section.h"
#include "loader/transport-section.h"
#include "schema/scenario.pb.h"
#include "units/csv-cells.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace geotrain
{

namespace
{

using scenario::Scenario;

/// Resolver resolves the entries of a scenario, one at a time.
class Resolver
{
  public:
    Resolver(const WanTopology& topology, const WanPaths& paths, const ScenarioFile& file)
        : m_topology(topology),
          m_paths(paths),
          m_file(file)
    {
    }

    std::vector<CrossTrafficPair> Resolve(scenario::CrossTraffic& written, int index)
    {
        m_section = "cross_traffic[" + std::to_string(index) + "]";
        const bool hasMatrix = written.has_matrix() || written.matrix_line_size() > 0;
        written.set_congestion_control(FullNameOfControl(
            written.congestion_control(), m_section + ".congestion_control", m_file));
        auto pairs = hasMatrix ? OfMatrix(written) : std::vector{OfLoad(written)};
        for (auto& pair : pairs)
        {
            pair.meanSize = ParseBytes(written.mean_size());
            pair.shape = written.shape();
            pair.congestionControl = written.congestion_control();
            pair.window = ParseBytes(written.window());
            pair.load = MeanOf(pair) / CapacityOf(pair, m_section);
            pair.name = std::to_string(index) + "/" + m_topology.sites[pair.from].name + "-" +
                        m_topology.sites[pair.to].name;
        }
        return pairs;
    }

  private:
    /// Returns the rate of the slowest link between the two sites in bit/s.
    double CapacityOf(const CrossTrafficPair& pair, const std::string& field) const
    {
        const auto path = m_paths.SitePath(pair.from, pair.to);
        if (!path || path->empty())
        {
            m_file.Fail(field,
                        m_topology.sites[pair.to].name,
                        "must be another site than " + m_topology.sites[pair.from].name +
                            ", with a path to it");
        }
        double slowest = INFINITY;
        for (const auto& hop : *path)
        {
            double rate = 0;
            for (const auto& shared : m_paths.Sharing(hop))
            {
                const auto& link = m_topology.links[shared.link];
                rate += static_cast<double>(link.RateOf(shared.forward).ToBitsPerSecond());
            }
            slowest = std::min(slowest, rate);
        }
        return slowest;
    }

    CrossTrafficPair OfLoad(const scenario::CrossTraffic& written) const
    {
        CrossTrafficPair pair;
        pair.from = SiteNamed(m_topology, written.from(), m_section + ".from", m_file);
        pair.to = SiteNamed(m_topology, written.to(), m_section + ".to", m_file);
        pair.steps.push_back({Duration(), written.load() * CapacityOf(pair, m_section + ".to")});
        return pair;
    }

    /// Returns the mean rate over the steps except the last, which has no end. A single step is its
    /// own mean.
    static double MeanOf(const CrossTrafficPair& pair)
    {
        const auto& steps = pair.steps;
        double bits = 0;
        for (std::size_t i = 0; i + 1 < steps.size(); ++i)
        {
            bits += steps[i].bitsPerSecond * (steps[i + 1].at - steps[i].at).ToSeconds();
        }
        return steps.size() == 1 ? steps.front().bitsPerSecond : bits / steps.back().at.ToSeconds();
    }

    std::vector<CrossTrafficPair> OfMatrix(scenario::CrossTraffic& written)
    {
        const std::string name = InlineLines(written.matrix(),
                                             m_section + ".matrix",
                                             m_section + ".matrix_line",
                                             *written.mutable_matrix_line(),
                                             m_file)
                                     .name;
        written.clear_matrix();
        if (written.matrix_line_size() < 2 || written.matrix_line(0) != "time_s,from,to,rate_bps")
        {
            m_file.Fail(m_section + ".matrix",
                        "",
                        "must begin with the line time_s,from,to,rate_bps, and have rows");
        }
        std::vector<CrossTrafficPair> pairs;
        for (int i = 1; i < written.matrix_line_size(); ++i)
        {
            AddRow(
                pairs, written.matrix_line(i), written.scale(), name + ":" + std::to_string(i + 1));
        }
        return pairs;
    }

    static double
    NumberOf(const std::string& cell, const std::string& column, const std::string& place)
    {
        constexpr double most = 1e15;
        double value = 0;
        const auto [rest, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc{} || rest != cell.data() + cell.size() || !(value >= 0) ||
            value > most)
        {
            throw ConfigError(place, column, cell, "must be a number from 0 to 1e15");
        }
        return value;
    }

    void AddRow(std::vector<CrossTrafficPair>& pairs,
                const std::string& line,
                double scale,
                const std::string& place) const
    {
        const std::vector<std::string> cells = CsvCells(line);
        if (cells.size() != 4)
        {
            throw ConfigError(place, "", line, "must have the four cells time_s,from,to,rate_bps");
        }
        const double seconds = NumberOf(cells[0], "time_s", place);
        if (seconds > 1e9)
        {
            throw ConfigError(place, "time_s", cells[0], "must be at most 1e9");
        }
        const ScenarioFile row{place, {}};
        CrossTrafficPair pair;
        pair.from = SiteNamed(m_topology, cells[1], "from", row);
        pair.to = SiteNamed(m_topology, cells[2], "to", row);
        const auto known = std::find_if(pairs.begin(),
                                        pairs.end(),
                                        [&](const CrossTrafficPair& other)
                                        { return other.from == pair.from && other.to == pair.to; });
        auto& own = known == pairs.end() ? pairs.emplace_back(pair) : *known;
        const Duration at = Duration::Seconds(seconds);
        if (own.steps.empty() && at > Duration())
        {
            own.steps.push_back({Duration(), 0}); // nothing is offered until the first row
        }
        else if (!own.steps.empty() && at <= own.steps.back().at)
        {
            throw ConfigError(
                place, "time_s", cells[0], "must be later than the pair's row before");
        }
        own.steps.push_back({at, scale * NumberOf(cells[3], "rate_bps", place)});
    }

    const WanTopology& m_topology;
    const WanPaths& m_paths;
    const ScenarioFile& m_file;
    std::string m_section;
};

/// Returns how many files a pair sends by `deadline` in the mean.
double
FilesBy(const CrossTrafficPair& pair, Duration deadline)
{
    double bits = 0;
    for (std::size_t i = 0; i < pair.steps.size(); ++i)
    {
        const auto end =
            i + 1 < pair.steps.size() ? std::min(pair.steps[i + 1].at, deadline) : deadline;
        bits += pair.steps[i].bitsPerSecond * std::max(0.0, (end - pair.steps[i].at).ToSeconds());
    }
    return bits / 8 / static_cast<double>(pair.meanSize.Count());
}

} // namespace

std::vector<CrossTrafficPair>
ResolveCrossTraffic(Scenario& scenario,
                    const WanTopology& topology,
                    const WanPaths& paths,
                    const ScenarioFile& file)
{
    std::vector<CrossTrafficPair> pairs;
    if (scenario.cross_traffic_size() == 0)
    {
        return pairs;
    }
    if (NetworkKindOf(scenario.run()).hasPackets)
    {
        RequireOfBearer(
            scenario.transport(), ns3::BearerFeature::CrossTraffic, "cross_traffic[0]", "", file);
    }
    Resolver resolver(topology, paths, file);
    for (int i = 0; i < scenario.cross_traffic_size(); ++i)
    {
        const auto more = resolver.Resolve(*scenario.mutable_cross_traffic(i), i);
        pairs.insert(pairs.end(), more.begin(), more.end());
    }
    constexpr double mostFiles = 1e9;
    const auto deadline = ParseDuration(scenario.run().deadline());
    const double files = std::accumulate(pairs.begin(),
                                         pairs.end(),
                                         0.0,
                                         [deadline](double sum, const CrossTrafficPair& pair)
                                         { return sum + FilesBy(pair, deadline); });
    if (files > mostFiles)
    {
        file.Fail("cross_traffic",
                  fmt::format("{:.3g} files", files),
                  "must be at most 1e9 by run.deadline: take larger files, less load or an earlier "
                  "deadline");
    }
    return pairs;
}

} // namespace geotrain
