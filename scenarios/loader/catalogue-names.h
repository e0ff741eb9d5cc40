// SPDX-License-Identifier: GPL-2.0-only
// Finds GPUs, models and schedules by name, in letters of any case.
#pragma once

#include "execution/collective-catalogue.h"
#include "hardware/gpu-catalogue.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "schedule/schedule-catalogue.h"
#include "workload/model-catalogue.h"

#include <string>
#include <vector>

namespace geotrain
{

// Each throws ConfigError, which names `file`, `field` and the nearest names, for a name that its
// catalogue doesn't have.
GpuSpec GpuNamed(const std::string& name, const std::string& field, const ScenarioFile& file);
GpuSpec GpuNamed(const std::vector<GpuSpec>& catalogue,
                 const std::string& name,
                 const std::string& field,
                 const ScenarioFile& file);
TransformerSpec
ModelNamed(const std::string& name, const std::string& field, const ScenarioFile& file);
const ScheduleEntry&
ScheduleNamed(const std::string& name, const std::string& field, const ScenarioFile& file);
void RequireCollective(const std::string& name, const std::string& field, const ScenarioFile& file);

/// Writes all names of GPUs, models and schedules in a scenario as the catalogues do. Names that
/// they don't have stay.
void UseCatalogueNames(scenario::Scenario& scenario);

} // namespace geotrain
