// SPDX-License-Identifier: GPL-2.0-only
// Says which settings of a scenario's TCP a live run leaves to the kernel.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"

#include <string>

namespace geotrain
{

/// Returns a warning that names the fields of `transport` that are set and that the kernel's TCP does not
/// take; empty where there are none.
std::string WarningOfKernelSettings(const ns3::BulkTcpOverrides& tcp);

} // namespace geotrain
