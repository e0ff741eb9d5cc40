// SPDX-License-Identifier: GPL-2.0-only
// Checks the settings of what stands in the place of a link's drop-tail queue.
#pragma once

#include "wan/queue-kinds.h"

#include <string>

namespace geotrain
{

/// Throws ConfigError that names `file`, `prefix` with the field, its value and the rule that it breaks.
void ValidateQueues(const QueueKinds& queues, const std::string& file, const std::string& prefix);

} // namespace geotrain
