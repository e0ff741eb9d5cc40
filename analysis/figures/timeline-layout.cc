// SPDX-License-Identifier: GPL-2.0-only
#include "figures/timeline-layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace geotrain
{

namespace
{

constexpr std::size_t maxRows = 200;
constexpr double groupHeaderPoints = 15;
constexpr double stackedRowPoints = 2.8;
constexpr double labelledRowPoints = 8; // rows that are less high have no label of their own

/// Returns the height of a row: comfortable for a dozen rows, about one page for 200 rows.
double
RowPoints(std::size_t rows)
{
    return std::clamp(520.0 / static_cast<double>(rows), 2.6, 11.0);
}

/// Returns the workers of the first replicas that fit, by data centre (in the order of the nodes),
/// replica and stage.
std::vector<int>
ChooseWorkers(const trace::RunHeader& header, std::uint32_t& replicasShown)
{
    std::map<std::uint32_t, std::size_t> ofReplica;
    for (const auto& worker : header.workers())
    {
        ++ofReplica[worker.replica()];
    }
    std::set<std::uint32_t> chosen;
    std::size_t rows = 0;
    for (const auto& [replica, count] : ofReplica)
    {
        if (!chosen.empty() && rows + count > maxRows)
        {
            replicasShown = static_cast<std::uint32_t>(chosen.size());
            break;
        }
        rows += count;
        chosen.insert(replica);
    }
    std::map<std::string, int> dataCentres; // number by first appearance
    for (const auto& node : header.nodes())
    {
        dataCentres.try_emplace(node.data_centre(), static_cast<int>(dataCentres.size()));
    }
    std::vector<int> workers(static_cast<std::size_t>(header.workers_size()));
    std::iota(workers.begin(), workers.end(), 0);
    workers.erase(std::remove_if(workers.begin(),
                                 workers.end(),
                                 [&](int w)
                                 { return chosen.count(header.workers(w).replica()) == 0; }),
                  workers.end());
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

} // namespace

TimelineLayout
LayOutTimeline(const trace::RunHeader& header)
{
    TimelineLayout layout;
    layout.workers = ChooseWorkers(header, layout.replicasShown);
    layout.rowPoints = RowPoints(layout.workers.size());
    layout.rowsHaveLabels = layout.rowPoints >= labelledRowPoints;
    const std::string* dataCentre = nullptr;
    double y = 0;
    for (const int index : layout.workers)
    {
        const auto& node = header.nodes(static_cast<int>(header.workers(index).node()));
        if (dataCentre == nullptr || *dataCentre != node.data_centre())
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
LayOutFirstReplica(const trace::RunHeader& header, const std::string& title, double top)
{
    TimelineLayout layout;
    layout.run = title;
    for (int w = 0; w < header.workers_size(); ++w)
    {
        if (header.workers(w).replica() == 0)
        {
            layout.workers.push_back(w);
        }
    }
    std::stable_sort(layout.workers.begin(),
                     layout.workers.end(),
                     [&](int a, int b)
                     { return header.workers(a).stage() < header.workers(b).stage(); });
    layout.rowPoints = stackedRowPoints;
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
