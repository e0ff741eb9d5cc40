// SPDX-License-Identifier: GPL-2.0-only
// Says what `geotrain check` knows of a run before it runs: memory per GPU, sizes of messages, how
// long the run will take about, and WAN links that stay idle.
#pragma once

#include "loader/scenario-loader.h"
#include "runner/run-estimate.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace geotrain
{

/// A CheckReport is what is known of one scenario, which must outlive it.
class CheckReport
{
  public:
    /// `variants` is the number of variants that were checked too.
    CheckReport(const Experiment& scenario, std::size_t variants);

    /// Returns the report as comments of the text format, so that they may stand above a scenario.
    std::string Comments() const;

    nlohmann::ordered_json Json() const;

  private:
    std::string MessagesText() const;
    std::string RunText() const;
    std::string IdleLinksText() const;
    std::vector<std::size_t> IdleLinks() const;
    std::string NameOfLink(std::size_t link) const;

    const Experiment& m_scenario;
    std::size_t m_variants;
    std::optional<RunEstimate> m_estimate;
};

} // namespace geotrain
