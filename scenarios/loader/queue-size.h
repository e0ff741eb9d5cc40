// SPDX-License-Identifier: GPL-2.0-only
// Parses the size of a queue as people write it: "1bdp", "0.5bdp", "500packets", "4MB".
#pragma once

#include "wan/wan-queue-size.h"

#include <string>

namespace geotrain
{

/// Parses `text`. Throws std::invalid_argument whose text is the rule that was broken.
WanQueueSize ParseQueueSize(const std::string& text);

} // namespace geotrain
