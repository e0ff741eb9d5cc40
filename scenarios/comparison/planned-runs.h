// SPDX-License-Identifier: GPL-2.0-only
// Plans the runs of comparisons, a run per variant and seed, and runs those that are not complete
// in one pool of processes. Several comparisons can share a pool.
#pragma once

#include "comparison/comparison-table.h"
#include "comparison/job-pool.h"
#include "comparison/planned-run.h"
#include "comparison/resumed-runs.h"
#include "comparison/sweep-lead.h"
#include "comparison/swept-run.h"
#include "comparison/variants.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// RunPool says how runs are run.
struct RunPool : RunManner
{
    unsigned jobs = 1;   ///< number of runs at the same time
    bool resume = false; ///< keeps the runs of the same scenario that are complete
    /// Shares the runs with other ranks, and outlives them; null: there are none.
    SweepLead* sweep = nullptr;

    /// Called before the first run where `resume` is set; may be empty.
    std::function<void(const ResumedRuns&)> resumed = {};

    /// Called where runs were interrupted, with how many `resume` would keep, and of how many; may be empty.
    std::function<void(std::size_t kept, std::size_t runs)> interrupted = {};

    /// Called with the share of each run that is done, in [0, 1]; may be empty.
    std::function<void(const std::vector<double>& shares)> progress = {};
};

/// Returns the runs of a comparison below `folder`: a folder per variant, with several seeds
/// VARIANT/seed-N. A variant's own seeds go before `seeds`; without any it has the scenario's one
/// seed. `text` must outlive the runs.
std::vector<PlannedRun> PlanRuns(const ScenarioText& text,
                                 const VariantPlans& plans,
                                 const std::vector<std::int64_t>& seeds,
                                 const std::filesystem::path& folder);

/// Returns how many such runs have room in the memory that they may take, by an estimate; at least
/// 1.
unsigned RunsThatFit(const Experiment& scenario);

/// Runs `runs` in their order, each with its share of the memory, and returns the exit codes of
/// all. A run that fails doesn't stop the others. What its folder held before is removed, unless
/// the run is complete and `pool` resumes.
std::vector<int> RunAll(const std::vector<PlannedRun>& runs, const RunPool& pool);

/// Summarises the trace in a run's folder. Throws TraceError.
Summary SummaryOf(const std::filesystem::path& runFolder);

/// Returns the table of the comparison whose runs ended with `codes`, from their traces. Variants
/// that were interrupted are left out.
ComparisonTable MakeTable(const VariantPlans& plans,
                          const std::vector<PlannedRun>& runs,
                          const std::vector<int>& codes);

} // namespace geotrain
