// SPDX-License-Identifier: GPL-2.0-only
#include "loader/tried-plans.h"

#include "schema/scenario.pb.h"

namespace geotrain
{

namespace
{

/// Returns all of a scenario that a trial may depend on.
std::string
TrainingOf(scenario::Scenario scenario)
{
    scenario.clear_name();
    scenario.clear_run();
    scenario.clear_variant();
    scenario.clear_grid();
    scenario.clear_expected();
    scenario.clear_figure();
    scenario.clear_criterion();
    scenario.clear_inference();
    scenario.clear_fill_jobs();
    return scenario.SerializeAsString();
}

} // namespace

TriedPlan
TriedPlans::Of(const scenario::Scenario& scenario, const std::function<TriedPlan()>& trial)
{
    const std::string training = TrainingOf(scenario);
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const auto found = m_tried.find(training);
        if (found != m_tried.end())
        {
            return found->second;
        }
    }
    const TriedPlan tried = trial();
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_tried.emplace(training, tried).first->second;
}

std::size_t
TriedPlans::Count() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_tried.size();
}

} // namespace geotrain
