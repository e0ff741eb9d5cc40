// SPDX-License-Identifier: GPL-2.0-only
// Runs work in a process of its own, tells when and how it ended, and lets it not outlive this one.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <sys/types.h>

namespace geotrain
{

/// A ChildProcess is one child of this process; made by default, it is one that has ended.
class ChildProcess
{
  public:
    ChildProcess() = default;

    /// Starts `work` in a copy of this process (fork(2)); its result is the exit code. The kernel sends
    /// the child `signalOfEnd` when this process ends in whatever way. `namespaces` are flags of
    /// clone(2) for new namespaces. Throws std::system_error where no process can be started.
    explicit ChildProcess(const std::function<int()>& work,
                          int signalOfEnd = SIGKILL,
                          int namespaces = 0);

    /// Kills a child that still runs.
    ~ChildProcess();
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;

    bool HasEnded();

    /// Waits at most `patience`. Returns HasEnded().
    bool HasEndedWithin(std::chrono::milliseconds patience);

    /// Waits for its end and returns ExitCode().
    int Wait();

    /// Returns the exit code of a child that has ended; 128 + n where signal n ended it.
    int ExitCode() const
    {
        return m_exitCode;
    }

    /// Sends a signal to a child that has not ended.
    void Send(int signal) const;

    /// Returns the number of a child that has not ended; else -1.
    pid_t Id() const
    {
        return m_process;
    }

  private:
    bool Collect(int options);

    pid_t m_process = -1;
    int m_exitCode = 0;
};

} // namespace geotrain
