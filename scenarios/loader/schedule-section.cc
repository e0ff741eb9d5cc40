// SPDX-License-Identifier: GPL-2.0-only
#include "loader/schedule-section.h"

#include "execution/iteration-times.h"
#include "loader/catalogue-names.h"
#include "loader/inlined-lines.h"
#include "schema/scenario.pb.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

using scenario::Scenario;

constexpr const char* customName = "custom";

CustomOrder
OwnOrder(scenario::Schedule& schedule, const ScenarioFile& file)
{
    const InlinedText order = InlineLines(schedule.orders(),
                                          "schedule.orders",
                                          "schedule.order_row",
                                          *schedule.mutable_order_row(),
                                          file);
    schedule.clear_orders();
    schedule.set_name(customName);
    return ParseOrder(order.text, order.name);
}

void
CheckShape(const CustomOrder& custom, const Scenario& scenario, const ScenarioFile& file)
{
    const auto workers = static_cast<std::int64_t>(custom.order.stages.size());
    if (workers != scenario.parallelism().pipeline_stages())
    {
        file.Fail("parallelism.pipeline_stages",
                  std::to_string(scenario.parallelism().pipeline_stages()),
                  fmt::format("must be {}, the rows of the order", workers));
    }
    if (custom.microbatches != scenario.model().microbatches())
    {
        file.Fail("model.microbatches",
                  std::to_string(scenario.model().microbatches()),
                  fmt::format("must be {}, the microbatches of the order", custom.microbatches));
    }
}

void
ChooseOwnOrder(Scenario& scenario, ScheduleChoice& choice, const ScenarioFile& file)
{
    choice.custom = OwnOrder(*scenario.mutable_schedule(), file);
    CheckShape(*choice.custom, scenario, file);
    std::size_t chunks = 1;
    for (const auto& stages : choice.custom->order.stagesOfWorker)
    {
        chunks = std::max(chunks, stages.size());
    }
    scenario.mutable_schedule()->set_virtual_stages(static_cast<std::int64_t>(chunks));
    for (const StageHome& home : HomesOf(choice.custom->order))
    {
        choice.workerOfStage.push_back(home.worker);
    }
}

void
ChooseFromCatalogue(Scenario& scenario, ScheduleChoice& choice, const ScenarioFile& file)
{
    auto& written = *scenario.mutable_schedule();
    choice.entry = &ScheduleNamed(written.name(), "schedule.name", file);
    if (!written.has_virtual_stages())
    {
        written.set_virtual_stages(DefaultVirtualStages(*choice.entry));
    }
    ScheduleShape shape;
    shape.stages = Small(scenario.parallelism().pipeline_stages());
    shape.virtualStages = Small(written.virtual_stages());
    choice.workerOfStage = WorkersOfStages(*choice.entry, shape);
}

} // namespace

ScheduleChoice
ChooseSchedule(Scenario& scenario, const ScenarioFile& file)
{
    ScheduleChoice choice;
    if (scenario.schedule().has_orders() || scenario.schedule().order_row_size() > 0)
    {
        ChooseOwnOrder(scenario, choice, file);
    }
    else
    {
        ChooseFromCatalogue(scenario, choice, file);
    }
    return choice;
}

void
LetItSettle(Scenario& scenario)
{
    auto& run = *scenario.mutable_run();
    const auto settling = SettlingIterations(Small(scenario.parallelism().pipeline_stages()),
                                             Small(scenario.model().microbatches()));
    run.set_warmup_iterations(std::max<std::int64_t>(run.warmup_iterations(), settling));
    run.set_iterations(std::max(run.iterations(), std::int64_t{leastSteadyUpdates}));
}

} // namespace geotrain
