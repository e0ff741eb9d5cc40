// SPDX-License-Identifier: GPL-2.0-only
#include "loader/unused-fields.h"

#include "loader/ignored-fields.h"
#include "schedule/schedule-catalogue.h"
#include "schema/scenario.pb.h"

namespace geotrain
{

namespace
{

using scenario::Scenario;

/// A Dependence says when a field has no effect, and why.
struct Dependence
{
    const char* field;
    bool (*isUnused)(const Scenario&);
    std::string why;
};

/// Returns whether the schedule lacks a trait. A user's own order has none.
template <bool ScheduleEntry::*trait>
bool
LacksTrait(const Scenario& scenario)
{
    const ScheduleEntry* entry = FindSchedule(scenario.schedule().name());
    return entry == nullptr || !(entry->*trait);
}

bool
HasOwnOrder(const Scenario& scenario)
{
    return scenario.schedule().order_row_size() > 0;
}

bool
HasNoCap(const Scenario& scenario)
{
    const auto& caps = scenario.caps();
    return !caps.has_node_pair() && !caps.has_node_egress() && !caps.has_node_ingress();
}

bool
IsTransfer(const Scenario& scenario)
{
    return scenario.has_transfer();
}

bool
IsRelaxed(const Scenario& scenario)
{
    return scenario.inference().mode() == scenario::RELAXED;
}

bool
IsStrict(const Scenario& scenario)
{
    return !IsRelaxed(scenario);
}

bool
SharesKvNic(const Scenario& scenario)
{
    return scenario.inference().kv_nic() == scenario::SHARED;
}

bool
BatchesNothing(const Scenario& scenario)
{
    return scenario.inference().batch_tokens() == 0;
}

bool
HasDeadlinesOfNone(const Scenario& scenario)
{
    return scenario.inference().policy() == scenario::EARLIEST_DEADLINE &&
           !scenario.inference().has_ttft_objective();
}

bool
HasGivenFillJobs(const Scenario& scenario)
{
    return !scenario.fill_jobs().has_jobs();
}

/// Returns whether switches send sums back to the workers.
bool
HasNoServer(const Scenario& scenario)
{
    return scenario.in_network().acknowledgement() == scenario::InNetwork::RESULT;
}

const char* const drawnJobs = "the jobs are those of a trace, and none is drawn";

const std::vector<Dependence>&
Dependences()
{
    const std::string training = "a transfer has no training";
    const std::string noServer = "with acknowledgement RESULT there is no server";
    static const std::vector<Dependence> all = {
        {"caps.queue", HasNoCap, "no cap is set"},
        {"caps.police", HasNoCap, "no cap is set"},
        {"schedule.warmup_factor",
         LacksTrait<&ScheduleEntry::deepensWarmUp>,
         "only " + NamesOfSchedules(&ScheduleEntry::deepensWarmUp) + " deepens its warm-up by it"},
        {"schedule.memory_cap", HasOwnOrder, "a user's own order holds what it holds"},
        {"schedule.overlapped_block",
         LacksTrait<&ScheduleEntry::overlapsBlocks>,
         "only " + NamesOfSchedules(&ScheduleEntry::overlapsBlocks) +
             " runs a forward and a backward as one block"},
        {"run.warmup_iterations", IsTransfer, training},
        {"run.iterations", IsTransfer, training},
        {"run.compute_jitter", IsTransfer, training},
        {"run.all_reduce_fidelity", IsTransfer, training},
        {"run.memory_check", IsTransfer, training},
        {"inference.longest_hold", IsStrict, "mode STRICT holds training for no layer"},
        {"inference.guard", IsRelaxed, "mode RELAXED keeps no time free before a bubble's end"},
        {"inference.policy",
         HasDeadlinesOfNone,
         "without ttft_objective there are no deadlines, and requests are placed as by FIFO"},
        {"inference.batch_wait", BatchesNothing, "batch_tokens is 0, so that no prompt waits"},
        {"inference.decode_nodes",
         SharesKvNic,
         "with kv_nic SHARED, KV caches go to the data centre's own nodes"},
        {"fill_jobs.jobs_per_hour", HasGivenFillJobs, drawnJobs},
        {"fill_jobs.median_time", HasGivenFillJobs, drawnJobs},
        {"fill_jobs.sigma", HasGivenFillJobs, drawnJobs},
        {"fill_jobs.deadline_factor", HasGivenFillJobs, drawnJobs},
        {"in_network.ssd_rate", HasNoServer, noServer},
        {"in_network.memory_rate", HasNoServer, noServer},
        {"in_network.cpu_tflops", HasNoServer, noServer},
        {"in_network.threads", HasNoServer, noServer},
        {"in_network.servers_die_at", HasNoServer, noServer},
    };
    return all;
}

/// Adds a warning for each data centre that says how much it hosts of what isn't spread.
void
AddHosting(const Scenario& scenario, std::vector<std::string>& warnings)
{
    const bool spreadsStages = scenario.parallelism().across() == scenario::STAGES;
    for (int i = 0; i < scenario.data_center_size() && !IsTransfer(scenario); ++i)
    {
        const auto& dataCenter = scenario.data_center(i);
        const std::string path = "data_center[" + std::to_string(i) + "].";
        if (dataCenter.has_stages() && !spreadsStages)
        {
            warnings.push_back(path + "stages changes nothing: parallelism.across spreads whole "
                                      "pipelines");
        }
        if (dataCenter.has_replicas() && spreadsStages)
        {
            warnings.push_back(path + "replicas changes nothing: parallelism.across spreads the "
                                      "stages of every pipeline");
        }
    }
}

/// Adds a warning for each entry of cross traffic that scales no matrix.
void
AddScales(const Scenario& scenario, std::vector<std::string>& warnings)
{
    for (int i = 0; i < scenario.cross_traffic_size(); ++i)
    {
        const auto& traffic = scenario.cross_traffic(i);
        if (traffic.has_load() && traffic.scale() != 1)
        {
            warnings.push_back("cross_traffic[" + std::to_string(i) +
                               "].scale changes nothing: the entry has a load and no matrix");
        }
    }
}

} // namespace

std::vector<std::string>
WarningsOfUnused(const Scenario& resolved)
{
    std::vector<std::string> warnings;
    AddHosting(resolved, warnings);
    for (const Dependence& dependence : Dependences())
    {
        if (IsFieldSet(resolved, dependence.field) && dependence.isUnused(resolved))
        {
            warnings.push_back(std::string(dependence.field) +
                               " changes nothing: " + dependence.why);
        }
    }
    if (resolved.fill_jobs().mix_size() > 0 && HasGivenFillJobs(resolved))
    {
        warnings.push_back(std::string("fill_jobs.mix changes nothing: ") + drawnJobs);
    }
    AddScales(resolved, warnings);
    return warnings;
}

} // namespace geotrain
