// SPDX-License-Identifier: GPL-2.0-only
// Resolves the schedule: its name or a user's own order, and its virtual stages.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "schedule/custom-order.h"
#include "schedule/schedule-catalogue.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// A ScheduleChoice is a schedule of the catalogue or a user's own order.
struct ScheduleChoice
{
    const ScheduleEntry* entry = nullptr;     ///< null where the order is the user's own
    std::optional<CustomOrder> custom;        ///< the user's own order
    std::vector<std::uint32_t> workerOfStage; ///< by virtual stage
};

/// Resolves the schedule and fills in virtual_stages. The rows of an orders file move into
/// order_row, and the name is then "custom". Throws ConfigError.
ScheduleChoice ChooseSchedule(scenario::Scenario& scenario, const ScenarioFile& file);

/// Raises run.warmup_iterations and run.iterations to the least that a schedule without flush
/// needs: the iterations until it has settled, and those over which its updates are measured.
void LetItSettle(scenario::Scenario& scenario);

} // namespace geotrain
