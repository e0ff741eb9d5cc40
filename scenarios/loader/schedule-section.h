// SPDX-License-Identifier: GPL-2.0-only
// Resolves the schedule: which one, its virtual stages, a user's own order.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "schedule/custom-order.h"
#include "schedule/schedule-catalogue.h"

#include <optional>
#include <vector>

namespace geotrain
{

struct ScheduleChoice
{
    const ScheduleEntry* entry = nullptr; ///< none where the order is the user's own
    std::optional<CustomOrder> custom;
    std::vector<std::uint32_t> workerOfStage; ///< by virtual stage
};

/// Fills in virtual_stages; an orders file moves into order_row, and the name is then "custom".
/// Throws ConfigError.
ScheduleChoice ChooseSchedule(scenario::Scenario& scenario, const ScenarioFile& file);

/// Raises run.warmup_iterations to what a schedule without flush needs to settle, and
/// run.iterations to what it is measured for.
void LetItSettle(scenario::Scenario& scenario);

} // namespace geotrain
