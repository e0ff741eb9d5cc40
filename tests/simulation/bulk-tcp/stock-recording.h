// SPDX-License-Identifier: GPL-2.0-only
// Lists recorded completion times of ns-3 3.37's own sockets without loss: 50 MB over 5 Gbit/s with
// a receive window of 30 MB and an unlimited queue, with the options of the stock-compatible
// preset. tests/validation/bulk-tcp computes them again.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "wan-topology/model/link-model.h"

#include <array>
#include <string>

namespace ns3
{

struct StockRecord
{
    const char* control;
    std::int64_t rttMs;
    std::int64_t mtu;          ///< bytes
    std::int64_t completionNs; ///< from the SYN to the last byte at the receiver
};

constexpr std::uint64_t recordedSize = 50000000; ///< bytes

constexpr std::array<StockRecord, 24> stockRecords{{
    {"TcpNewReno", 2, 1500, 104035052},  {"TcpNewReno", 2, 9000, 93462574},
    {"TcpNewReno", 10, 1500, 227994588}, {"TcpNewReno", 10, 9000, 183578110},
    {"TcpNewReno", 40, 1500, 795528356}, {"TcpNewReno", 40, 9000, 625456762},
    {"TcpCubic", 2, 1500, 206183964},    {"TcpCubic", 2, 9000, 116952758},
    {"TcpCubic", 10, 1500, 176855600},   {"TcpCubic", 10, 9000, 150950574},
    {"TcpCubic", 40, 1500, 538682968},   {"TcpCubic", 40, 9000, 441742742},
    {"TcpBbr", 2, 1500, 114471158},      {"TcpBbr", 2, 9000, 109518137},
    {"TcpBbr", 10, 1500, 195475141},     {"TcpBbr", 10, 9000, 170705399},
    {"TcpBbr", 40, 1500, 561741375},     {"TcpBbr", 40, 9000, 461911871},
    {"TcpHtcp", 2, 1500, 104035052},     {"TcpHtcp", 2, 9000, 93462574},
    {"TcpHtcp", 10, 1500, 227994588},    {"TcpHtcp", 10, 9000, 183578110},
    {"TcpHtcp", 40, 1500, 795528356},    {"TcpHtcp", 40, 9000, 625456762},
}};

inline BulkTcpOptions
OptionsOf(const StockRecord& record)
{
    BulkTcpOptions options = BulkTcpOptions::StockCompatible();
    options.congestionControl = std::string("ns3::") + record.control;
    options.mtu = geotrain::Bytes::Of(record.mtu);
    options.window = geotrain::Bytes::Of(30000000);
    return options;
}

inline LinkModel::Settings
LinkOf(const StockRecord& record)
{
    LinkModel::Settings link;
    link.rate = geotrain::BitRate::GigabitsPerSecond(5);
    link.delay = geotrain::Duration::Microseconds(record.rttMs * 500);
    link.name = "link";
    return link;
}

inline std::string
NameOf(const StockRecord& record)
{
    return std::string(record.control) + "Rtt" + std::to_string(record.rttMs) + "Mtu" +
           std::to_string(record.mtu);
}

} // namespace ns3
