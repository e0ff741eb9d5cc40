// SPDX-License-Identifier: GPL-2.0-only
// Reads a user's own order from a CSV file in PyTorch's notation (torch.distributed.pipelining,
// _dump_csv): a row per worker, an entry per operation, and blanks for idle. "2B0" is stage 2,
// operation B, microbatch 0; F is a forward, B an input gradient, W a weight gradient. Where the
// file has no W at all, a B is the whole backward.
#pragma once

#include "schedule/schedule-order.h"

#include <string>

namespace geotrain
{

/// A CustomOrder is the order that a file holds.
struct CustomOrder
{
    ScheduleOrder order; ///< its caps are the peaks that it has
    std::uint32_t microbatches = 0;
};

/// Reads an order. Throws ConfigError that names the file, row and column of an entry that can't be
/// read, or the dependency that an illegal order breaks.
CustomOrder ReadOrder(const std::string& path);

/// Does the same from the text itself; `name` stands for the file in errors.
CustomOrder ParseOrder(const std::string& text, const std::string& name);

} // namespace geotrain
