// SPDX-License-Identifier: GPL-2.0-only
#include "live-wan/helper/own-namespaces.h"

#include "units/config-error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr int NETWORK_AND_PROCESSES = CLONE_NEWNET | CLONE_NEWPID;
constexpr const char* HOW_TO_ALLOW =
    "run it as root, or allow user namespaces with `sysctl kernel.unprivileged_userns_clone=1 "
    "user.max_user_namespaces=1000`; a container needs the capability SYS_ADMIN";

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

} // namespace

geotrain::ChildProcess
StartApart(const std::string& command, const std::function<int()>& work)
{
    if (access("/proc/self/ns/net", F_OK) != 0)
    {
        throw geotrain::ConfigError(
            command, "", "", "needs /proc, which is not mounted: `mount -t proc proc /proc`");
    }
    const uid_t user = geteuid();
    const gid_t group = getegid();
    const std::function<int()> workAsRoot = [&]
    {
        if (!BecomeRoot(user, group))
        {
            std::fprintf(stderr,
                         "%s: the kernel gives no rights in a user namespace (%s): %s\n",
                         command.c_str(),
                         std::strerror(errno),
                         HOW_TO_ALLOW);
            return 1;
        }
        return work();
    };
    std::string refusal;
    for (const int userNamespace : {CLONE_NEWUSER, 0})
    {
        try
        {
            if (userNamespace != 0 || user == 0)
            {
                return geotrain::ChildProcess(userNamespace != 0 ? workAsRoot : work,
                                              SIGKILL,
                                              userNamespace | NETWORK_AND_PROCESSES);
            }
        }
        catch (const std::system_error& error)
        {
            refusal = error.code().message();
        }
    }
    throw geotrain::ConfigError(
        command, "", "", "the kernel allows no namespaces (" + refusal + "): " + HOW_TO_ALLOW);
}

} // namespace ns3
