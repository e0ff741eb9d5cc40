// SPDX-License-Identifier: GPL-2.0-only
#include "figures/timeline-layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace geotrain
{

namespace
{

constexpr std::size_t mostRows = 64;
constexpr std::size_t mostStackedRows = 16; // per run
constexpr std::size_t mostHeaders = 16;     // more data centres have no headers
constexpr double groupHeaderPoints = 15;
constexpr double labelledRowPoints = 8; // rows that are less high have no label of their own

/// Returns the height of a row: comfortable for a few rows, less than a page for 64.
double
RowPoints(std::size_t rows)
{
    return std::clamp(300.0 / static_cast<double>(rows), 4.0, 11.0);
}

/// Returns the height of a row of one of several runs.
double
StackedRowPoints(std::size_t rows)
{
    return std::clamp(45.0 / static_cast<double>(rows), 2.8, 9.0);
}

/// Keeps `most` of `workers`, evenly far from each other and with the first one.
void
Thin(std::vector<int>& workers, std::size_t most)
{
    const std::size_t all = workers.size();
    for (std::size_t kept = 0; kept < most && all > most; ++kept)
    {
        workers[kept] = workers[kept * all / most];
    }
    workers.resize(std::min(all, most));
}

/// Returns the number of the first replicas whose workers fit, at least 1.
std::uint32_t
ReplicasThatFit(const trace::RunHeader& header)
{
    std::map<std::uint32_t, std::size_t> ofReplica;
    for (const auto& worker : header.workers())
    {
        ++ofReplica[worker.replica()];
    }
    std::size_t rows = 0;
    std::uint32_t fitting = 0;
    for (const auto& [replica, count] : ofReplica)
    {
        rows += count;
        if (fitting > 0 && rows > mostRows)
        {
            break;
        }
        fitting = replica + 1;
    }
    return fitting;
}

/// Returns the workers of `replicas` replicas from `first` on, by stage.
std::vector<int>
WorkersOf(const trace::RunHeader& header, std::uint32_t first, std::uint32_t replicas)
{
    std::vector<int> workers;
    for (int w = 0; w < header.workers_size(); ++w)
    {
        const std::uint32_t replica = header.workers(w).replica();
        if (replica >= first && replica - first < replicas)
        {
            workers.push_back(w);
        }
    }
    std::stable_sort(workers.begin(),
                     workers.end(),
                     [&](int a, int b)
                     { return header.workers(a).stage() < header.workers(b).stage(); });
    return workers;
}

/// Numbers the data centres in the order of their first nodes.
std::map<std::string, int>
DataCentresOf(const trace::RunHeader& header)
{
    std::map<std::string, int> dataCentres;
    for (const auto& node : header.nodes())
    {
        dataCentres.try_emplace(node.data_centre(), static_cast<int>(dataCentres.size()));
    }
    return dataCentres;
}

/// Returns the workers that have rows, by data centre (in the order of the nodes), replica and
/// stage.
std::vector<int>
ChooseWorkers(const trace::RunHeader& header, std::uint32_t replicas)
{
    auto workers = WorkersOf(header, 0, replicas);
    Thin(workers, mostRows);
    const auto dataCentres = DataCentresOf(header);
    std::stable_sort(workers.begin(),
                     workers.end(),
                     [&](int a, int b)
                     {
                         const auto key = [&](int index)
                         {
                             const auto& worker = header.workers(index);
                             const auto& node = header.nodes(static_cast<int>(worker.node()));
                             return std::make_tuple(dataCentres.at(node.data_centre()),
                                                    worker.replica(),
                                                    worker.stage());
                         };
                         return key(a) < key(b);
                     });
    return workers;
}

/// Says which workers of the first `replicas` have the `rows` rows; empty where all workers have.
std::string
ShownText(const trace::RunHeader& header, std::uint32_t replicas, std::size_t rows)
{
    const auto all = static_cast<std::size_t>(header.workers_size());
    if (rows == all)
    {
        return "";
    }
    const std::string of = header.replicas() > 1 ? fmt::format(" of {}", header.replicas()) : "";
    const std::string replicasText =
        replicas > 1 ? fmt::format("replicas 0 to {}{}", replicas - 1, of) : "replica 0" + of;
    const std::size_t stages = WorkersOf(header, 0, 1).size();
    return rows < stages ? fmt::format("{} of {} stages, {}", rows, stages, replicasText)
                         : fmt::format("{} ({} of {} workers)", replicasText, rows, all);
}

} // namespace

TimelineLayout
LayOutTimeline(const trace::RunHeader& header)
{
    TimelineLayout layout;
    const std::uint32_t replicas = ReplicasThatFit(header);
    layout.workers = ChooseWorkers(header, replicas);
    layout.shown = ShownText(header, replicas, layout.workers.size());
    layout.rowPoints = RowPoints(layout.workers.size());
    layout.rowsHaveLabels = layout.rowPoints >= labelledRowPoints;
    const bool hasHeaders = DataCentresOf(header).size() <= mostHeaders;
    const std::string* dataCentre = nullptr;
    double y = 0;
    for (const int index : layout.workers)
    {
        const auto& node = header.nodes(static_cast<int>(header.workers(index).node()));
        if (hasHeaders && (dataCentre == nullptr || *dataCentre != node.data_centre()))
        {
            dataCentre = &node.data_centre();
            layout.headers.emplace_back(y + groupHeaderPoints / 2, *dataCentre);
            y += groupHeaderPoints;
        }
        layout.tops.push_back(y);
        y += layout.rowPoints;
    }
    layout.heightPoints = y + 4;
    return layout;
}

TimelineLayout
LayOutReplica(const trace::RunHeader& header,
              std::uint32_t replica,
              const std::string& title,
              double top)
{
    TimelineLayout layout;
    layout.run = title;
    layout.workers = WorkersOf(header, replica, 1);
    const std::size_t stages = layout.workers.size();
    Thin(layout.workers, mostStackedRows);
    layout.shown = layout.workers.size() == stages
                       ? ""
                       : fmt::format("{} of {} stages", layout.workers.size(), stages);
    layout.rowPoints = StackedRowPoints(layout.workers.size());
    layout.headers.emplace_back(top + groupHeaderPoints / 2, title);
    double y = top + groupHeaderPoints;
    for (std::size_t row = 0; row < layout.workers.size(); ++row)
    {
        layout.tops.push_back(y);
        y += layout.rowPoints;
    }
    layout.heightPoints = y;
    return layout;
}

} // namespace geotrain
