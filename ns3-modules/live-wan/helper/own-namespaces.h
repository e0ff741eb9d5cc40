// SPDX-License-Identifier: GPL-2.0-only
// Runs work in namespaces of its own: user, network and process numbers (namespaces(7)). What the
// work makes there has no name outside, so that the kernel removes all of it, interfaces and
// processes too, when the work's first process ends in whatever way.
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

namespace ns3
{

/// An ApartProcess is the first process of new namespaces, seen from outside.
struct ApartProcess
{
    pid_t process = -1;
    bool hasUserNamespace = false; ///< false: the caller is root, and the kernel gave none
};

/// Starts `work` as the first process of new namespaces; its result is the exit code. The kernel
/// kills it, and all that it started, when this process ends. New user namespaces are tried first,
/// so that root is not needed. Call it while the process has one thread. Throws
/// geotrain::ConfigError, which names `command`, where the kernel allows neither.
ApartProcess StartApart(const std::string& command, const std::function<int()>& work);

/// Waits for its end, and returns its exit code; 128 + the signal that killed it. `onWait` is called
/// at least every 100 ms.
int AwaitEnd(const ApartProcess& process, const std::function<void()>& onWait);

} // namespace ns3
