// SPDX-License-Identifier: GPL-2.0-only
#include "loader/job-section.h"

#include "schema/scenario.pb.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace geotrain
{

namespace
{

using scenario::Scenario;

/// FreeGpus counts the GPUs that no job has, by data centre and node.
class FreeGpus
{
  public:
    explicit FreeGpus(const Scenario& scenario)
    {
        std::uint32_t first = 0;
        for (const auto& dataCenter : scenario.data_center())
        {
            m_first.push_back(first);
            m_free.emplace_back(static_cast<std::size_t>(dataCenter.nodes()),
                                dataCenter.gpus_per_node());
            first += Small(dataCenter.nodes());
        }
    }

    /// Returns the nodes of a data centre, counted from 0, that have so many free GPUs.
    std::vector<std::uint32_t> NodesWith(std::size_t dataCenter, std::int64_t gpus) const
    {
        std::vector<std::uint32_t> nodes;
        const auto& free = m_free[dataCenter];
        for (std::uint32_t node = 0; node < free.size(); ++node)
        {
            if (free[node] >= gpus)
            {
                nodes.push_back(node);
            }
        }
        return nodes;
    }

    /// Takes GPUs of a node, and returns the node's number in the testbed.
    std::uint32_t Take(std::size_t dataCenter, std::uint32_t node, std::int64_t gpus)
    {
        m_free[dataCenter][node] -= gpus;
        return m_first[dataCenter] + node;
    }

  private:
    std::vector<std::uint32_t> m_first; ///< first node, by data centre
    std::vector<std::vector<std::int64_t>> m_free;
};

int
IndexOf(const Scenario& scenario, const std::string& dataCenter)
{
    const auto& all = scenario.data_center();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const auto& one) { return one.name() == dataCenter; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

/// Writes nodes for a job that names none: all that are free in whole.
void
TakeAllFree(const Scenario& scenario, const FreeGpus& free, scenario::Job& job)
{
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        const auto& dataCenter = scenario.data_center(i);
        const auto nodes = free.NodesWith(static_cast<std::size_t>(i), dataCenter.gpus_per_node());
        if (!nodes.empty())
        {
            auto& written = *job.add_nodes();
            written.set_data_center(dataCenter.name());
            written.set_count(static_cast<std::int64_t>(nodes.size()));
        }
    }
}

/// Puts the entries in the order of the data centres, in which a job counts its nodes.
void
SortNodes(const Scenario& scenario,
          const std::string& field,
          const ScenarioFile& file,
          scenario::Job& job)
{
    for (int i = 0; i < job.nodes_size(); ++i)
    {
        const auto& name = job.nodes(i).data_center();
        if (IndexOf(scenario, name) < 0)
        {
            file.Fail(fmt::format("{}.nodes[{}].data_center", field, i),
                      name,
                      "must be the name of a data_center");
        }
    }
    std::sort(job.mutable_nodes()->begin(),
              job.mutable_nodes()->end(),
              [&](const auto& a, const auto& b)
              { return IndexOf(scenario, a.data_center()) < IndexOf(scenario, b.data_center()); });
}

/// Returns the GPU of a node of a data centre, whose last nodes may have others than the first.
std::string
GpuOf(const scenario::DataCenter& dataCenter, std::uint32_t node)
{
    std::int64_t end = dataCenter.nodes();
    for (int i = dataCenter.other_gpus_size() - 1; i >= 0; --i)
    {
        end -= dataCenter.other_gpus(i).nodes();
        if (node >= end)
        {
            return dataCenter.other_gpus(i).gpu();
        }
    }
    return dataCenter.gpu();
}

/// Makes of a data centre that part of it which a job has: `nodes`, counted from the data centre's
/// first.
void
Restrict(const scenario::JobNodes& taken,
         const std::vector<std::uint32_t>& nodes,
         scenario::DataCenter& dataCenter)
{
    std::vector<std::string> gpus;
    for (const std::uint32_t node : nodes)
    {
        gpus.push_back(GpuOf(dataCenter, node));
    }
    dataCenter.clear_other_gpus();
    dataCenter.set_gpu(gpus.front());
    for (const auto& gpu : gpus)
    {
        const int last = dataCenter.other_gpus_size() - 1;
        if (last >= 0 && dataCenter.other_gpus(last).gpu() == gpu)
        {
            auto& other = *dataCenter.mutable_other_gpus(last);
            other.set_nodes(other.nodes() + 1);
        }
        else if (last >= 0 || gpu != dataCenter.gpu())
        {
            auto& other = *dataCenter.add_other_gpus();
            other.set_nodes(1);
            other.set_gpu(gpu);
        }
    }
    dataCenter.set_nodes(static_cast<std::int64_t>(nodes.size()));
    dataCenter.set_gpus_per_node(taken.has_gpus() ? taken.gpus() : dataCenter.gpus_per_node());
    if (taken.has_stages())
    {
        dataCenter.set_stages(taken.stages());
    }
    if (taken.has_replicas())
    {
        dataCenter.set_replicas(taken.replicas());
    }
}

/// Copies the fields that a job and a scenario of one training have in common, such as `model`.
void
CopySections(const google::protobuf::Message& from, google::protobuf::Message& to)
{
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    from.GetReflection()->ListFields(from, &fields);
    for (const auto* field : fields)
    {
        const auto* other = to.GetDescriptor()->FindFieldByName(field->name());
        if (other != nullptr && other->name() == "sharing")
        {
            to.GetReflection()->SetEnum(&to, other, from.GetReflection()->GetEnum(from, field));
        }
        else if (other != nullptr && other->message_type() != nullptr)
        {
            to.GetReflection()
                ->MutableMessage(&to, other)
                ->CopyFrom(from.GetReflection()->GetMessage(from, field));
        }
    }
}

} // namespace

std::vector<JobPlace>
PlaceJobs(Scenario& scenario, const ScenarioFile& file)
{
    FreeGpus free(scenario);
    std::vector<JobPlace> places;
    for (int i = 0; i < scenario.job_size(); ++i)
    {
        const auto field = fmt::format("job[{}]", i);
        auto& job = *scenario.mutable_job(i);
        if (job.name() == "transfer")
        {
            file.Fail(field + ".name", job.name(), "is what results call the transfer");
        }
        if (job.nodes_size() == 0)
        {
            TakeAllFree(scenario, free, job);
        }
        if (job.nodes_size() == 0)
        {
            file.Fail(field + ".nodes", "", "must have nodes, and the jobs above leave none");
        }
        SortNodes(scenario, field, file, job);
        JobPlace place;
        place.nodesOfSite.assign(static_cast<std::size_t>(scenario.data_center_size()), 0);
        for (const auto& taken : job.nodes())
        {
            const auto index = static_cast<std::size_t>(IndexOf(scenario, taken.data_center()));
            const auto& dataCenter = scenario.data_center(static_cast<int>(index));
            const auto gpus = taken.has_gpus() ? taken.gpus() : dataCenter.gpus_per_node();
            const auto nodes = free.NodesWith(index, gpus);
            const auto count = static_cast<std::size_t>(taken.count());
            if (nodes.size() < count)
            {
                file.Fail(fmt::format("{}.nodes, data_center \"{}\"", field, taken.data_center()),
                          std::to_string(count),
                          fmt::format("must be <= {}, its nodes with {} GPUs that no job above has",
                                      nodes.size(),
                                      gpus));
            }
            for (std::size_t node = 0; node < count; ++node)
            {
                place.nodes.push_back(free.Take(index, nodes[node], gpus));
            }
            place.nodesOfSite[index] = Small(taken.count());
        }
        places.push_back(place);
    }
    return places;
}

Scenario
ScenarioOfJob(const Scenario& scenario, int job, const JobPlace& place)
{
    const auto& own = scenario.job(job);
    Scenario one = scenario;
    one.clear_job();
    one.clear_transfer();
    CopySections(own, one);
    std::uint32_t firstOfSite = 0;
    auto next = place.nodes.begin();
    auto taken = own.nodes().begin();
    for (int i = 0; i < one.data_center_size(); ++i)
    {
        auto& dataCenter = *one.mutable_data_center(i);
        const std::uint32_t first = firstOfSite;
        firstOfSite += Small(dataCenter.nodes());
        const std::uint32_t count = place.nodesOfSite[static_cast<std::size_t>(i)];
        if (count == 0)
        {
            dataCenter.set_nodes(0);
            dataCenter.clear_other_gpus();
            continue;
        }
        std::vector<std::uint32_t> nodes;
        for (std::uint32_t node = 0; node < count; ++node)
        {
            nodes.push_back(*next++ - first);
        }
        Restrict(*taken++, nodes, dataCenter);
    }
    return one;
}

void
KeepResolved(const Scenario& ofJob, scenario::Job& job)
{
    CopySections(ofJob, job);
}

} // namespace geotrain
