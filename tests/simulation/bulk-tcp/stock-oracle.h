// SPDX-License-Identifier: GPL-2.0-only
// Runs the reference of bulk-tcp's tests: one transfer over ns-3's own TCP sockets, between two
// nodes joined by WanLinkDevices, which use the same LinkModel as light links.
#pragma once

#include "observed-control.h"

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "wan-topology/model/link-model.h"

#include <cstdint>
#include <set>

namespace ns3
{

/// ListedFaults are the byte offsets of segments whose first transmission is dropped or marked
/// before the link.
struct ListedFaults
{
    std::set<std::uint64_t> dropped;
    std::set<std::uint64_t> marked; ///< congestion experienced, where the packet is ECN-capable
};

struct TransferResult
{
    std::int64_t completionNs = 0; ///< from the SYN to the last byte at the receiver
    std::uint64_t faults = 0;      ///< drops and marks that happened
    std::uint64_t roundsInAvoidance = 0;
};

/// StockSender says whether the sender scans its sent list per segment, as ns-3's socket does, or
/// only when it has to (FastStockSocket).
enum class StockSender
{
    Scanning,
    Fast
};

TransferResult StockTransfer(const BulkTcpOptions& options,
                             const LinkModel::Settings& link,
                             std::uint64_t size,
                             const ListedFaults& faults,
                             std::shared_ptr<ObservedControl::Log> log = nullptr,
                             StockSender kind = StockSender::Scanning);

TransferResult ExpressTransfer(const BulkTcpOptions& options,
                               const LinkModel::Settings& link,
                               std::uint64_t size,
                               const ListedFaults& faults,
                               std::shared_ptr<ObservedControl::Log> log = nullptr);

} // namespace ns3
