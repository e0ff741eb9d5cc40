// SPDX-License-Identifier: GPL-2.0-only
// Runs jobs side by side, each in a process of its own, since ns-3 keeps its simulator and its
// defaults in globals. A job that crashes doesn't end the others. A parent that is killed takes its
// jobs along.
#pragma once

#include "units/child-process.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

namespace geotrain
{

/// A job calls JobProgress with the share of its work that is done, in [0, 1].
using JobProgress = std::function<void(double share)>;

/// A Job runs in a child process and returns its exit code. It must not throw.
using Job = std::function<int(const JobProgress& progress)>;

/// The exit code of a job that was ended, or not begun, since the program was interrupted.
constexpr int interruptedJob = -1;

/// A JobSharing lets other processes make some of the jobs.
class JobSharing
{
  public:
    virtual ~JobSharing() = default;

    /// Returns whether this process may begin the job, which no other then begins; false: another one has.
    virtual bool Take(std::size_t job) = 0;

    virtual void OnEnded(std::size_t job, int code) = 0; ///< a job of this process

    /// Returns the exit codes of jobs that have ended in other processes since the last call.
    virtual std::map<std::size_t, int> EndedElsewhere() = 0;

    /// Returns the jobs whose processes were lost since the last call: they are to be taken again.
    virtual std::vector<std::size_t> Lost() = 0;
};

/// Runs all of `jobs` in their order, at most `parallel` at once. Returns their exit codes, which
/// are 128 + n for a job that signal n ended. Where WasInterrupted(), it ends the jobs that run and
/// begins no other. `watch` is called several times per second with the
/// share of each job that is done. With `sharing` it returns when all have ended, wherever they ran.
std::vector<int> RunJobs(const std::vector<Job>& jobs,
                         unsigned parallel,
                         const std::function<void(const std::vector<double>&)>& watch,
                         JobSharing* sharing = nullptr);

/// Waits for the end of a child, and hands on to it, as `signal`, the first signal that
/// CatchInterrupts() catches. Returns the child's exit code.
int WaitAndForward(ChildProcess& child, int signal);

/// Runs `work` in a job. Its messages go into the file `messages`; its error goes to the program's
/// stderr where that file can't take it. Returns the exit code.
int ExitCodeWithMessages(const std::filesystem::path& messages, const std::function<int()>& work);

} // namespace geotrain
