// SPDX-License-Identifier: GPL-2.0-only
// Chooses the plans of a search that are worth showing, each once, and measures them as a run of their
// scenario does.
#pragma once

#include "comparison/planned-runs.h"
#include "loader/scenario-loader.h"
#include "planner/plan-search.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A MeasuredPlan is what a run of a plan's scenario gave.
struct MeasuredPlan
{
    double seconds = 0;  ///< iteration_time; 0 where the run failed
    std::string failure; ///< why it failed; empty otherwise
    std::vector<std::string> warnings;
    int exitCode = 0; ///< of the run
};

/// A ListedPlan is a plan with its file and its times.
struct ListedPlan
{
    RankedPlan plan;        ///< its cost is that of the measured time
    bool isOnFront = false; ///< no listed plan is both as fast and as cheap
    ScenarioText scenario;
    MeasuredPlan analytic;               ///< on the analytic network
    std::optional<MeasuredPlan> packets; ///< unset: not run over packets
    std::string packetsRefusal;          ///< why not, where it was asked for
};

/// Returns up to `most` plans of a search, the fastest by its simulation first: the best third and the
/// scenario's own, then the best of each set of data centres, those of the front of time against cost,
/// the best of each sharing and schedule, and others.
std::vector<ListedPlan>
ListPlans(const PlanSearch& search, const PlanningScenario& scenario, std::size_t most);

/// Returns the wall-clock time that a run of a plan's scenario takes on the network `kind` in seconds,
/// coarsely; nullopt where it is too large to be told.
std::optional<double> EstimateSeconds(const ListedPlan& plan, const std::string& kind);

/// Writes each plan as FOLDER/NAME-N.textproto in the order of their times on the analytic network, in
/// which they are returned, measured by runs of these files. Failed ones come last.
std::vector<ListedPlan> MeasurePlans(std::vector<ListedPlan> plans,
                                     const PlanningScenario& scenario,
                                     const std::filesystem::path& folder,
                                     const std::string& name,
                                     const RunPool& pool);

/// Says of the first `count` plans why they don't run over packets, where they are too large by the
/// estimate. Returns what the others take, in seconds on one core.
double RefuseLargeOverPackets(std::vector<ListedPlan>& plans, std::size_t count);

/// Runs those of the first `count` plans over packets that are not refused, each until its
/// `wallDeadline` at the most. Results are in FOLDER/plan-N.
void RunOverPackets(std::vector<ListedPlan>& plans,
                    std::size_t count,
                    const std::optional<Duration>& wallDeadline,
                    const std::filesystem::path& folder,
                    const RunPool& pool);

/// Returns why a plan's run failed on either network; empty where none did.
std::string FailureOf(const ListedPlan& plan);

/// Returns a sentence for each pair of plans whose ranking is reversed over packets.
std::vector<std::string> ReversedRankings(const std::vector<ListedPlan>& plans);

} // namespace geotrain
