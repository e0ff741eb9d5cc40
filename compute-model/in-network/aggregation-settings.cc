// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/aggregation-settings.h"

#include "in-network/setting-check.h"
#include "units/quantity-parser.h"

namespace geotrain
{

namespace
{

constexpr std::int64_t aggregationCopies = 2;     // SwitchML's shadow copy
constexpr std::int64_t accumulatorBytes = 4;      // an integer in the switch
constexpr std::int64_t aggregationCopyState = 16; // bitmap (8), count (4), sequence number (4)

} // namespace

std::int64_t
AggregationSettings::PacketsIn(Bytes length) const
{
    return (length.Count() + payload.Count() - 1) / payload.Count();
}

std::int64_t
AggregationSettings::WindowPackets() const
{
    return window.Count() / payload.Count();
}

Bytes
AggregationSettings::Burst() const
{
    return (payload + header) * 16;
}

Bytes
AggregationSettings::SlotMemory() const
{
    const std::int64_t copy =
        payload.Count() / integerBytes * accumulatorBytes + aggregationCopyState;
    return Bytes::Of(copy * aggregationCopies * slots);
}

void
AggregationSettings::Check(std::uint32_t children, std::uint32_t servers, const char* path) const
{
    const SettingCheck check(path);
    check.Require(integerBytes == 2 || integerBytes == 4,
                  "integer_bytes",
                  std::to_string(integerBytes),
                  "must be 2 or 4");
    check.Require(payload.Count() >= integerBytes && payload <= Bytes::Of(9000),
                  "payload",
                  Format(payload),
                  "must hold an integer and be at most 9000B");
    check.Require(children <= s_bitmapWidth,
                  "switches",
                  std::to_string(children),
                  "must be at most " + std::to_string(s_bitmapWidth) +
                      " children below one switch, the width of its bitmap: take a tree");
    check.Require(SlotMemory() * servers <= switchMemory,
                  "switch_memory",
                  Format(switchMemory),
                  "must hold the slots, " + Format(SlotMemory() * servers));
    check.Require(payload <= window,
                  "credit",
                  Format(window),
                  "must be at least a packet's payload, " + Format(payload));
    check.Require(WindowPackets() <= slots,
                  "credit",
                  Format(window),
                  "must be at most the slots, " + Format(payload * slots));
    check.Require(heartbeatInterval < timeout,
                  "timeout",
                  Format(timeout),
                  "must be more than heartbeat_interval, " + Format(heartbeatInterval));
}

} // namespace geotrain
