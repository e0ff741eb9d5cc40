// SPDX-License-Identifier: GPL-2.0-only
#include "cli/check-report.h"

#include "cli/terminal-width.h"
#include "comparison/text-table.h"
#include "loader/worker-memory.h"
#include "schedule/order-simulation.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace geotrain
{

namespace
{

constexpr std::size_t mostRows = 16; // workers whose memory is shown, one a row

std::string
Gigabytes(Bytes bytes)
{
    return fmt::format("{:.2f}", static_cast<double>(bytes.Count()) * 1e-9);
}

std::string
Size(double bytes)
{
    return bytes >= 1e12  ? ShortNumber(bytes * 1e-12) + " TB"
           : bytes >= 1e9 ? ShortNumber(bytes * 1e-9) + " GB"
           : bytes >= 1e6 ? ShortNumber(bytes * 1e-6) + " MB"
           : bytes >= 1e3 ? ShortNumber(bytes * 1e-3) + " kB"
                          : ShortNumber(bytes) + " B";
}

/// Returns a time as "about 45 s" or "3:20 min" or "2:05 h".
std::string
About(double seconds)
{
    if (seconds < 1)
    {
        return "less than a second";
    }
    const auto whole = static_cast<long>(std::ceil(seconds));
    return whole < 60     ? fmt::format("about {} s", whole)
           : whole < 3600 ? fmt::format("about {}:{:02} min", whole / 60, whole % 60)
                          : fmt::format("about {}:{:02} h", whole / 3600, whole % 3600 / 60);
}

/// Returns the text with "# " before each line.
std::string
AsComments(const std::string& text)
{
    std::istringstream lines(text);
    std::string line;
    std::string comments;
    while (std::getline(lines, line))
    {
        const auto columns = TableColumns() - 4; // "#   " before a continued line
        std::istringstream parts(line.size() > columns ? BrokenIntoLines(line, columns) : line);
        comments += line.empty() ? "#\n" : "";
        for (std::string part, mark = "# "; std::getline(parts, part); mark = "#   ")
        {
            comments += mark + part + "\n";
        }
    }
    return comments;
}

/// Returns the least memory of a GPU by worker of a pipeline, over the replicas.
std::vector<Bytes>
Capacities(const TrainingSpec& job)
{
    const auto& placement = job.prepared.placement;
    std::vector<Bytes> capacities(placement.stages, Bytes::Of(INT64_MAX));
    for (std::size_t worker = 0; worker < placement.nodeOfWorker.size(); ++worker)
    {
        Bytes& least = capacities[worker % placement.stages];
        least = std::min(least, job.cluster.GpuOfNode(placement.nodeOfWorker[worker]).memory);
    }
    return capacities;
}

/// Returns the time of an iteration by the order alone; nullopt where it would take long to find.
std::optional<double>
SecondsByOrder(const TrainingSpec& job)
{
    const auto& prepared = job.prepared;
    constexpr std::uint64_t mostOperations = 500000;
    const auto& plan = job.plan;
    if (prepared.order.noFlush ||
        std::uint64_t{plan.pipelineStages} * plan.virtualStages * plan.microbatches >
            mostOperations)
    {
        return std::nullopt;
    }
    return SimulateOrder(prepared.order, plan.microbatches, prepared.Times())
        .Makespan()
        .ToSeconds();
}

/// Returns a table of the memory of a job's GPUs.
std::string
MemoryText(const TrainingSpec& job)
{
    const auto& memory = job.prepared.memory;
    const auto capacities = Capacities(job);
    TextTable table({"worker", "state GB", "activations GB", "working GB", "total GB", "of GB"});
    std::size_t fullest = 0;
    for (std::size_t worker = 0; worker < memory.size(); ++worker)
    {
        const auto& own = memory[worker];
        fullest = own.Total() > memory[fullest].Total() ? worker : fullest;
        if (worker < mostRows)
        {
            table.AddRow({std::to_string(worker),
                          Gigabytes(own.state),
                          Gigabytes(own.activations),
                          Gigabytes(own.working),
                          Gigabytes(own.Total()),
                          Gigabytes(capacities[worker])});
        }
    }
    std::string text = "memory per GPU, by worker of a pipeline:\n" + table.Text();
    if (memory.size() > mostRows)
    {
        text += fmt::format("and {} more workers; the fullest is {} with {} GB of {} GB\n",
                            memory.size() - mostRows,
                            fullest,
                            Gigabytes(memory[fullest].Total()),
                            Gigabytes(capacities[fullest]));
    }
    return text;
}

/// Says how many flows there are, for how long, and what comes before.
std::string
FlowsText(const TransferSection& transfer)
{
    const auto steady = std::count_if(transfer.flows.begin(),
                                      transfer.flows.end(),
                                      [](const TransferFlow& flow) { return flow.IsSteady(); });
    std::string text = fmt::format("flows: {} steady, {} of messages, measured for {} s",
                                   steady,
                                   static_cast<std::ptrdiff_t>(transfer.flows.size()) - steady,
                                   ShortNumber(transfer.duration.ToSeconds()));
    if (transfer.HasWarmUp())
    {
        text += fmt::format(" after a warm-up of at least {} s and {} per flow",
                            ShortNumber(transfer.warmUpTime.ToSeconds()),
                            Size(static_cast<double>(transfer.warmUpBytes.Count())));
    }
    return text + "\n";
}

/// Says what memory an in-network optimizer in several data centres needs for the WAN's round trips.
std::string
RelaysText(const TrainingSpec& job)
{
    if (!job.inNetworkWan)
    {
        return "";
    }
    std::string text;
    const InNetworkWan& wan = *job.inNetworkWan;
    for (const auto& site : wan.sites)
    {
        text +=
            fmt::format("in-network optimizer: a round trip of {} to {} takes {} per stream; a "
                        "relay has {} for "
                        "it, a switch {} in all\n",
                        Format(site.delay * 2),
                        site.cluster.name,
                        Size(static_cast<double>(site.roundTrip.Count())),
                        Size(static_cast<double>(wan.relayBuffer.Count())),
                        Size(static_cast<double>(site.cluster.aggregation.switchMemory.Count())));
    }
    return text;
}

std::string
MessagesOf(const TrainingSpec& job)
{
    const auto& gradients = job.prepared.gradients;
    const auto [least, most] = std::minmax_element(gradients.begin(), gradients.end());
    const auto size = [](Bytes bytes) { return Size(static_cast<double>(bytes.Count())); };
    return fmt::format("messages: {} per microbatch between two stages (activation, and its "
                       "gradient back); gradients of a stage {}{} among {} replicas\n",
                       size(job.prepared.boundary),
                       size(*least),
                       *least == *most ? "" : " to " + size(*most),
                       job.plan.dataParallel);
}

std::string
IterationText(const TrainingSpec& job)
{
    const auto seconds = SecondsByOrder(job);
    return seconds ? fmt::format("iteration: {} s by the schedule's order alone, without the "
                                 "all-reduce and what TCP does\n",
                                 ShortNumber(*seconds))
                   : "";
}

std::string
JobText(const TrainingSpec& job)
{
    return (job.name.empty() ? "" : "job " + job.name + ":\n") + MemoryText(job) + RelaysText(job) +
           MessagesOf(job) + IterationText(job);
}

nlohmann::ordered_json
JsonOf(const TrainingSpec& job)
{
    nlohmann::ordered_json object;
    auto memory = nlohmann::ordered_json::array();
    const auto capacities = Capacities(job);
    for (std::size_t worker = 0; worker < job.prepared.memory.size(); ++worker)
    {
        const auto& own = job.prepared.memory[worker];
        memory.push_back({{"worker", worker},
                          {"state_bytes", own.state.Count()},
                          {"activation_bytes", own.activations.Count()},
                          {"working_bytes", own.working.Count()},
                          {"total_bytes", own.Total().Count()},
                          {"capacity_bytes", capacities[worker].Count()}});
    }
    object["memory_per_gpu"] = memory;
    object["boundary_message_bytes"] = job.prepared.boundary.Count();
    auto gradients = nlohmann::ordered_json::array();
    for (const auto& gradient : job.prepared.gradients)
    {
        gradients.push_back(gradient.Count());
    }
    object["gradient_bytes_by_stage"] = gradients;
    return object;
}

} // namespace

CheckReport::CheckReport(const Experiment& scenario, std::size_t variants)
    : m_scenario(scenario),
      m_variants(variants),
      m_estimate(EstimateRun(scenario))
{
}

std::string
CheckReport::MessagesText() const
{
    if (m_scenario.transfer && m_scenario.transfer->IsOfFlows())
    {
        return FlowsText(*m_scenario.transfer);
    }
    if (m_scenario.transfer)
    {
        return fmt::format("messages: {} of {}\n",
                           m_scenario.transfer->messages,
                           Size(static_cast<double>(m_scenario.transfer->size.Count())));
    }
    return "";
}

std::string
CheckReport::RunText() const
{
    if (!m_estimate)
    {
        return "run: too large for an estimate of its time\n";
    }
    const auto& network = *m_scenario.run.network;
    return fmt::format("run: {} on one core{}, {} between nodes in all, about {} of memory "
                       "of the {} that it may take (estimates, within a factor of four)\n",
                       About(m_estimate->wallSeconds),
                       network.hasPackets
                           ? " over packets (" + m_scenario.testbed.transport.bearer + ", " +
                                 m_scenario.testbed.transport.congestionControl + ")"
                           : " on the " + std::string(network.name) + " network",
                       Size(m_estimate->bytes),
                       Size(m_estimate->memoryBytes),
                       Size(static_cast<double>(m_scenario.run.memoryLimit.Count())));
}

std::vector<std::size_t>
CheckReport::IdleLinks() const
{
    std::vector<std::size_t> idle;
    for (std::size_t link = 0; m_estimate && link < m_estimate->usesLink.size(); ++link)
    {
        if (!m_estimate->usesLink[link])
        {
            idle.push_back(link);
        }
    }
    return idle;
}

std::string
CheckReport::NameOfLink(std::size_t link) const
{
    const auto& wan = m_scenario.testbed.wan;
    return wan.sites[wan.links[link].from].name + " - " + wan.sites[wan.links[link].to].name;
}

std::string
CheckReport::IdleLinksText() const
{
    if (!m_estimate)
    {
        return "";
    }
    std::string text;
    for (const auto link : IdleLinks())
    {
        text +=
            fmt::format("{}wan_link[{}] ({})", text.empty() ? "" : ", ", link, NameOfLink(link));
    }
    return "WAN links that stay idle: " + (text.empty() ? "none" : text) + "\n";
}

std::string
CheckReport::Comments() const
{
    std::string text = fmt::format("{}: nothing is wrong", m_scenario.run.name);
    text += m_variants == 0   ? "\n"
            : m_variants == 1 ? ", nor in its variant\n"
                              : fmt::format(", nor in its {} variants\n", m_variants);
    for (const auto& warning : m_scenario.warnings)
    {
        text += "warning: " + warning + "\n";
    }
    for (const auto& job : m_scenario.jobs)
    {
        text += JobText(job);
    }
    return AsComments(text + MessagesText() + RunText() + IdleLinksText());
}

nlohmann::ordered_json
CheckReport::Json() const
{
    nlohmann::ordered_json object;
    object["variants"] = m_variants;
    object["warnings"] = m_scenario.warnings;
    for (const auto& job : m_scenario.jobs)
    {
        if (job.name.empty())
        {
            object.update(JsonOf(job));
        }
        else
        {
            object["jobs"][job.name] = JsonOf(job);
        }
    }
    if (m_estimate)
    {
        object["run_memory_bytes"] = m_estimate->memoryBytes;
        object["run_wall_s"] = m_estimate->wallSeconds;
        object["bytes_between_nodes"] = m_estimate->bytes;
        auto idle = nlohmann::ordered_json::array();
        for (const auto link : IdleLinks())
        {
            idle.push_back({{"wan_link", link}, {"between", NameOfLink(link)}});
        }
        object["idle_links"] = idle;
    }
    return object;
}

} // namespace geotrain
