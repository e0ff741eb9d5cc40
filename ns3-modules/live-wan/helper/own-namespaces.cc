// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/helper/own-namespaces.h"

#include "units/config-error.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr int NETWORK_AND_PROCESSES = CLONE_NEWNET | CLONE_NEWPID;
constexpr const char* HOW_TO_ALLOW =
    "run it as root, or allow user namespaces with `sysctl kernel.unprivileged_userns_clone=1 "
    "user.max_user_namespaces=1000`; a container needs the capability SYS_ADMIN";

/// Forks into new namespaces. Returns as fork() does.
pid_t
ForkInto(int namespaces)
{
    return static_cast<pid_t>(syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0));
}

bool
WriteFile(const char* path, const std::string& text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
    {
        return false;
    }
    const bool isWritten = write(file, text.data(), text.size()) == ssize_t(text.size());
    close(file);
    return isWritten;
}

/// Makes the caller root in its new user namespace, where it has no other users (user_namespaces(7)).
bool
BecomeRoot(uid_t user, gid_t group)
{
    // A kernel before 3.19 lacks setgroups.
    WriteFile("/proc/self/setgroups", "deny");
    return WriteFile("/proc/self/uid_map", "0 " + std::to_string(user) + " 1") &&
           WriteFile("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
}

[[noreturn]] void
RunAsFirst(pid_t parentOutside, const std::function<int()>& work)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before that; it is then another's, and outside it is not seen.
    if (getppid() != 0 && getppid() != parentOutside)
    {
        _exit(1);
    }
    const int code = work();
    std::fflush(nullptr);
    _exit(code);
}

} // namespace

ApartProcess
StartApart(const std::string& command, const std::function<int()>& work)
{
    if (access("/proc/self/ns/net", F_OK) != 0)
    {
        throw geotrain::ConfigError(
            command, "", "", "needs /proc, which is not mounted: `mount -t proc proc /proc`");
    }
    const uid_t user = geteuid();
    const gid_t group = getegid();
    const pid_t self = getpid();
    std::fflush(nullptr); // or the child would write it again
    ApartProcess apart;
    apart.process = ForkInto(CLONE_NEWUSER | NETWORK_AND_PROCESSES);
    apart.hasUserNamespace = apart.process >= 0;
    if (apart.process < 0 && user == 0)
    {
        apart.process = ForkInto(NETWORK_AND_PROCESSES);
    }
    if (apart.process < 0)
    {
        throw geotrain::ConfigError(command,
                                    "",
                                    "",
                                    std::string("the kernel allows no namespaces (") +
                                        std::strerror(errno) + "): " + HOW_TO_ALLOW);
    }
    if (apart.process == 0)
    {
        if (apart.hasUserNamespace && !BecomeRoot(user, group))
        {
            std::fprintf(stderr,
                         "%s: the kernel gives no rights in a user namespace (%s): %s\n",
                         command.c_str(),
                         std::strerror(errno),
                         HOW_TO_ALLOW);
            _exit(1);
        }
        RunAsFirst(self, work);
    }
    return apart;
}

int
AwaitEnd(const ApartProcess& process, const std::function<void()>& onWait)
{
    int status = 0;
    while (waitpid(process.process, &status, WNOHANG) == 0)
    {
        onWait();
        usleep(20000);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace ns3
