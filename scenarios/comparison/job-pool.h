// SPDX-License-Identifier: GPL-2.0-only
// Runs jobs side by side, each in a process of its own: ns-3 keeps its simulator and its defaults
// in globals, and a job that ends badly takes nobody with it.
#pragma once

#include <functional>
#include <vector>

namespace geotrain
{

/// What a job tells while it runs: the share that is done, in [0, 1].
using JobProgress = std::function<void(double share)>;

/// Runs in the child; what it returns is the child's exit code. It must not throw.
using Job = std::function<int(const JobProgress& progress)>;

/// Runs all of `jobs`, at most `parallel` at once, in their order. Returns their exit codes; 128 +
/// n where signal n ended one. `watch` is called several times a second with each job's share.
std::vector<int> RunJobs(const std::vector<Job>& jobs,
                         unsigned parallel,
                         const std::function<void(const std::vector<double>&)>& watch);

} // namespace geotrain
