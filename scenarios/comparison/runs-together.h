// SPDX-License-Identifier: GPL-2.0-only
// Refuses runs that would take more memory together than the machine has, when as many of them run
// at once as there are jobs.
#pragma once

#include "comparison/variants.h"
#include "loader/machine-memory.h"

#include <cstddef>
#include <string>
#include <vector>

namespace geotrain
{

/// Throws ConfigError, which names `file`, where the largest `jobs` of the runs need more than
/// `limit` together. The message names the number of jobs that fit.
void RefuseTogether(const std::vector<MemoryEstimate>& runs,
                    unsigned jobs,
                    Bytes limit,
                    const std::string& file);

/// Does the same for the variants of a comparison, each of which runs with `seeds` seeds. A variant
/// that can't be loaded counts as nothing, since its own run reports the error.
void RefuseTooLargeTogether(const ScenarioText& text,
                            const VariantPlans& plans,
                            std::size_t seeds,
                            unsigned jobs);

} // namespace geotrain
