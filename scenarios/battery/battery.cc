// SPDX-License-Identifier: GPL-2.0-only
#include "battery/battery.h"

#include <utility>

namespace geotrain
{

std::vector<BatteryHeading>
BatteryHeadings()
{
    const std::pair<const char*, const char*> names[] = {
        {"buffer", "Throughput and delay by buffer"},
        {"loss", "Throughput by random loss"},
        {"rtt", "Throughput by round trip"},
        {"fast-loss", "Throughput by random loss at 10 Gbit/s"},
        {"fast-buffer", "Throughput and delay by buffer at 10 Gbit/s"},
        {"burst-loss", "Throughput by bursts of loss"},
        {"reordering", "Throughput by reordering"},
        {"matrix", "Each control against each"},
        {"rtt-fairness", "Fairness between round trips"},
        {"convergence", "Convergence of flows that join and leave"},
        {"responsiveness", "Rate steps and outages"},
        {"short-flows", "Short flows among long ones"},
        {"cross-traffic", "Cross traffic"},
        {"parking-lot", "Parking lot of three bottlenecks"},
        {"aqm-ecn", "Queue management and ECN"},
        {"striping", "Many connections against one"},
        {"training", "Iterations of a pipeline over three data centres"},
        {"all-reduce", "Iterations with a ring over three data centres"}};
    std::vector<BatteryHeading> headings;
    for (const auto& [name, title] : names)
    {
        headings.push_back({name, title, ReadScenarioText(std::string("battery-") + name)});
    }
    return headings;
}

} // namespace geotrain
