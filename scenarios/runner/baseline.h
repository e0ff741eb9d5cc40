// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace geotrain
{

/// A Baseline is what other runs of a job took for an iteration, in seconds; 0: unknown.
struct Baseline
{
    double withoutFillers = 0; ///< with nothing in the job's bubbles
    double alone = 0;          ///< with no other workload
};

} // namespace geotrain
