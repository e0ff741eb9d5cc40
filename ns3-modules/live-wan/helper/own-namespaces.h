// SPDX-License-Identifier: GPL-2.0-only
// Runs work in namespaces of its own: user, network and process numbers (namespaces(7)). What the
// work makes there has no name outside, so that the kernel removes all of it, interfaces and
// processes too, when the work's first process ends in whatever way.
#pragma once

#include "units/child-process.h"

#include <functional>
#include <string>

namespace ns3
{

/// Starts `work` as the first process of new namespaces; its result is the exit code. The kernel
/// kills it, and all that it started, when this process ends. New user namespaces are tried first,
/// so that root is not needed. Call it while the process has one thread. Throws
/// geotrain::ConfigError, which names `command`, where the kernel allows neither.
geotrain::ChildProcess StartApart(const std::string& command, const std::function<int()>& work);

} // namespace ns3
