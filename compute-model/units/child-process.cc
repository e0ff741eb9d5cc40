// SPDX-License-Identifier: GPL-2.0-only
#include "units/child-process.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace geotrain
{

namespace
{

constexpr std::chrono::milliseconds poll(10);

/// Is the life of a child. An exception must not lead it into the code of its parent.
[[noreturn]] void
RunInChild(const std::function<int()>& work, int signalOfEnd, pid_t parent) noexcept
{
    prctl(PR_SET_PDEATHSIG, signalOfEnd);
    // The parent may have ended before that. From a namespace of process numbers it is seen as 0.
    if (getppid() != 0 && getppid() != parent)
    {
        _exit(128 + signalOfEnd);
    }
    const int code = work();
    std::fflush(nullptr);
    _exit(code);
}

} // namespace

ChildProcess::ChildProcess(const std::function<int()>& work, int signalOfEnd, int namespaces)
{
    const pid_t parent = getpid();
    std::fflush(nullptr); // or the child would write it again
    m_process = namespaces == 0
                    ? fork()
                    : static_cast<pid_t>(syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0));
    if (m_process == 0)
    {
        RunInChild(work, signalOfEnd, parent);
    }
    if (m_process < 0)
    {
        throw std::system_error(errno, std::generic_category(), "no process can be started");
    }
}

ChildProcess::~ChildProcess()
{
    Send(SIGKILL);
    Wait();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_process(std::exchange(other.m_process, -1)),
      m_exitCode(other.m_exitCode)
{
}

ChildProcess&
ChildProcess::operator=(ChildProcess&& other) noexcept
{
    std::swap(m_process, other.m_process);
    std::swap(m_exitCode, other.m_exitCode);
    return *this;
}

bool
ChildProcess::HasEnded()
{
    return Collect(WNOHANG);
}

bool
ChildProcess::HasEndedWithin(std::chrono::milliseconds patience)
{
    const auto last = std::chrono::steady_clock::now() + patience;
    while (!HasEnded() && std::chrono::steady_clock::now() < last)
    {
        std::this_thread::sleep_for(std::min(patience, poll));
    }
    return HasEnded();
}

int
ChildProcess::Wait()
{
    while (!Collect(0))
    {
    }
    return m_exitCode;
}

void
ChildProcess::Send(int signal) const
{
    if (m_process > 0)
    {
        kill(m_process, signal);
    }
}

/// Takes the child's exit code if it has ended. Returns whether it has.
bool
ChildProcess::Collect(int options)
{
    int status = 0;
    if (m_process > 0 && waitpid(m_process, &status, options) == m_process)
    {
        m_process = -1;
        m_exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return m_process < 0;
}

} // namespace geotrain
