// SPDX-License-Identifier: GPL-2.0-only
// How a connection of bulk-tcp behaves. The defaults are a modern TCP, near to Linux 6;
// StockCompatible() makes it comparable with ns-3 3.37's sockets.
#pragma once

#include "bulk-tcp/model/hystart-plus-plus.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

struct BulkTcpOptions
{
    std::string congestionControl = "ns3::TcpCubic"; ///< TypeId; "ns3::" may be left out
    geotrain::Bytes mtu = geotrain::Bytes::Of(1500); ///< IP packet size, 576 to 65,535 bytes
    geotrain::Bytes window =
        geotrain::Bytes::Of(64000000); ///< largest receive window, one segment to 2 GiB
    std::uint32_t initialWindow = 10;  ///< segments (RFC 6928)
    geotrain::Duration minRto = geotrain::Duration::Milliseconds(200); ///< Linux; RFC 6298 says 1 s
    std::uint32_t delayedAckCount =
        2; ///< data packets that an acknowledgement waits for (RFC 5681)
    geotrain::Duration delayedAckTimeout =
        geotrain::Duration::Milliseconds(40); ///< Linux's TCP_DELACK_MIN
    bool autotuneWindow =
        true; ///< the receive window grows with what arrives, from 64 KiB to `window`
    bool hyStartPlusPlus = true; ///< RFC 9406; switches TcpCubic's own HyStart off
    HyStartPlusPlus::Constants hyStart;
    bool slowStartAfterIdle = true; ///< RFC 2861; not for controls with HasCongControl
    bool tailLossProbe = true;      ///< RFC 8985, section 7
    bool pacing =
        true; ///< window-based controls: 2 windows a round trip in slow start, 1.2 after it, as Linux
    bool ecn = false; ///< RFC 3168; controls that need ECN switch it on themselves
    bool stockCompatible =
        false; ///< millisecond RTTs, unscaled SYN window, ns-3's PRR, growth while not limited

    std::uint32_t SegmentSize() const
    {
        return static_cast<std::uint32_t>(mtu.Count()) - s_dataHeaderSize;
    }

    /// What the attributes of geotrain::BulkTcp say. Throws geotrain::ConfigError for values that
    /// do not go together.
    static BulkTcpOptions FromAttributes();

    /// The preset that ns-3's sockets are compared with.
    static BulkTcpOptions StockCompatible();

    /// Throws geotrain::ConfigError for a value out of its range, an unknown TypeId or one that is
    /// no congestion control.
    void Validate() const;

    /// These options, validated.
    const BulkTcpOptions& Validated() const
    {
        Validate();
        return *this;
    }

    static constexpr std::uint32_t s_dataHeaderSize =
        52; ///< IPv4 20, TCP 20, timestamps 10 and padding
    static constexpr std::uint32_t s_synSize =
        56; ///< with window scale, SACK permitted and timestamps
};

/// What a user has set of them; the rest is left to the attributes.
struct BulkTcpOverrides
{
    std::optional<std::uint32_t> initialWindow;
    std::optional<geotrain::Duration> minRto;
    std::optional<std::uint32_t> delayedAckCount;
    std::optional<geotrain::Duration> delayedAckTimeout;
    std::optional<bool> hyStart;
    std::optional<bool> pacing;
    std::optional<bool> tailLossProbe;
    std::optional<bool> autotuning;

    /// Sets in `options` what is set.
    void ApplyTo(BulkTcpOptions& options) const;
};

} // namespace ns3
