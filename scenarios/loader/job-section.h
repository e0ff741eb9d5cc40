// SPDX-License-Identifier: GPL-2.0-only
// Resolves which nodes each job of a scenario has, and shows each job as a scenario of one training, so
// that it is loaded as such.
#pragma once

#include "loader/experiment.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// JobPlace is where a job is.
struct JobPlace
{
    std::vector<std::uint32_t> nodes;       ///< node of the testbed, by node of the job
    std::vector<std::uint32_t> nodesOfSite; ///< number of the job's nodes, by data centre
};

/// Gives all jobs their nodes, which it writes into `scenario`. Throws ConfigError where GPUs would be
/// given twice.
std::vector<JobPlace> PlaceJobs(scenario::Scenario& scenario, const ScenarioFile& file);

/// Returns the scenario of one training that a job is, on its nodes alone.
scenario::Scenario
ScenarioOfJob(const scenario::Scenario& scenario, int job, const JobPlace& place);

/// Writes what is resolved of a job's own scenario into the job.
void KeepResolved(const scenario::Scenario& ofJob, scenario::Job& job);

} // namespace geotrain
