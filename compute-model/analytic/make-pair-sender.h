// SPDX-License-Identifier: GPL-2.0-only
// Decides which kind of sender a path gets, and makes it.
#pragma once

#include "analytic/analytic-path.h"
#include "analytic/link-queue.h"
#include "analytic/pair-sender.h"

#include <memory>

namespace geotrain
{

/// Makes what carries messages over a path. A path without hops needs no link queues.
std::unique_ptr<PairSender> MakePairSender(const AnalyticPath& path,
                                           const LinkQueueOf& queueOf = nullptr);

} // namespace geotrain
