// SPDX-License-Identifier: GPL-2.0-only
// Defines the options of a bulk-tcp connection. The members' initial values are those of the RFCs, with
// Linux's timers. AsLinux() is a host of today, and StockCompatible() comparable with ns-3 3.37's sockets.
#pragma once

#include "bulk-tcp/model/hystart-plus-plus.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <ns3/tcp-congestion-ops.h>

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/// A TcpPreset is a set of options.
enum class TcpPreset
{
    Rfc,    ///< the RFCs, with Linux's timers
    Linux,  ///< a host with Linux 6.18, whose queue discipline does not pace
    Stock,  ///< ns-3 3.37's sockets
    LinuxFq ///< a host with Linux 6.18, and sch_fq as its queue discipline
};

/// BulkTcpOptions say how a connection behaves.
struct BulkTcpOptions
{
    /// TypeId; "geotrain::" or "ns3::" may be left out (LookUpCongestionControl()).
    std::string congestionControl = "geotrain::TcpCubic";
    geotrain::Bytes mtu = geotrain::Bytes::Of(1500); ///< IP packet size, 576 to 65,535 bytes
    geotrain::Bytes window =
        geotrain::Bytes::Of(64000000); ///< largest receive window, one segment to 2 GiB
    std::uint32_t initialWindow = 10;  ///< segments (RFC 6928)
    /// Least allowance for variation in the retransmission timeout, SRTT + max(4 RTTVAR, minRto):
    /// Linux's TCP_RTO_MIN. The preset of ns-3's sockets bounds the whole timeout by it.
    geotrain::Duration minRto = geotrain::Duration::Milliseconds(200);
    /// Share by which this connection's first SYN timeout, and so each retry's, is longer than RFC 6298's
    /// second. Hosts' timers and programs spread retries as well, so that many connections that were
    /// opened in one instant do not collide at a short queue again and again.
    double synSpread = 0;
    std::uint32_t delayedAckCount =
        2; ///< data packets that an acknowledgement waits for (RFC 5681)
    geotrain::Duration delayedAckTimeout =
        geotrain::Duration::Milliseconds(40); ///< Linux's TCP_DELACK_MIN
    /// Most acknowledgements in a row that do not wait, where the sender's window is small: Linux's
    /// TCP_MAX_QUICKACKS. 0 in ns-3's sockets.
    std::uint32_t quickAcks = 16;
    /// Acknowledgements of segments behind a gap wait for the next ones, as Linux's do; RFC 5681
    /// wants each at once.
    bool sackCompression = false;
    bool autotuneWindow =
        true; ///< the receive window grows with what arrives, from 64 KiB to `window`
    /// RFC 9406, for controls that have a HyStart in Linux; switches the control's own off.
    bool hyStartPlusPlus = true;
    bool hyStartForAll = false; ///< HyStart++ for the other window-based controls too
    bool classicHyStart = false; ///< in place of HyStart++, as Linux does
    bool cubicAsLinux = false;   ///< geotrain::TcpCubic counts whole segments (its attribute Rules)
    HyStartPlusPlus::Constants hyStart;
    bool slowStartAfterIdle = true; ///< RFC 2861; not for controls with HasCongControl
    bool tailLossProbe = true;      ///< RFC 8985, section 7
    /// Window-based controls: 2 windows per round trip in slow start, 1.2 after it, as Linux with
    /// sch_fq; false: not at all, as Linux without it.
    bool pacing = true;
    bool pacesSinglePackets = false; ///< paced packets leave one by one, not in bursts of 1 ms
    /// Segmentation offload, with Linux's sizes also where bursts are paced, and GRO at the receiver. Over
    /// light links, and for controls that go with them (GoesWithOffloads()); others go without.
    bool offloads = false;
    /// With it, bursts are one record each on light links that take them (LightWan::TakesBursts()), so that
    /// a simulation has fewer events; false: a record per packet, whatever the links.
    bool wholeBursts = true;
    /// With it, how long a NIC keeps the first packet before it interrupts its host: ethtool's rx-usecs,
    /// of which 50 us are the initial value of Intel's ice and i40e.
    geotrain::Duration interruptCoalescing = geotrain::Duration::Microseconds(50);
    /// Full packets of a paced burst at least, whatever the rate: Linux's tcp_min_tso_segs is 2.
    std::uint32_t leastBurst = 0;
    /// Most payload that it sends; also paces a control that would not be. Linux's SO_MAX_PACING_RATE
    /// (socket(7)). None: no bound.
    std::optional<geotrain::BitRate> mostPacingRate;
    bool ecn = false; ///< RFC 3168; controls that need ECN switch it on themselves
    bool stockCompatible =
        false; ///< millisecond RTTs, unscaled SYN window, ns-3's PRR, growth while not limited

    /// Returns the spread, below a quarter, of the connection `name`. It depends on nothing else.
    static double SynSpreadOf(const std::string& name);

    std::uint32_t SegmentSize() const
    {
        return static_cast<std::uint32_t>(mtu.Count()) - s_dataHeaderSize;
    }

    /// Returns the preset for comparison with ns-3's sockets.
    static BulkTcpOptions StockCompatible();

    /// Returns what a Linux host does, with or without sch_fq; live-wan's page holds it against the
    /// kernel of 6.18.
    static BulkTcpOptions AsLinux(bool pacing);

    static BulkTcpOptions Of(TcpPreset preset);

    /// Throws geotrain::ConfigError for a value out of its range, an unknown TypeId or one that is
    /// no congestion control.
    void Validate() const;

    /// Throws geotrain::ConfigError where `control`, in the place of the named one, does not go
    /// with these options.
    void ValidateControl(const TcpCongestionOps& control) const;

    /// Validates these options and returns them.
    const BulkTcpOptions& Validated() const
    {
        Validate();
        return *this;
    }

    static constexpr std::uint32_t s_dataHeaderSize =
        52; ///< bytes: IPv4 20, TCP 20, timestamps 10 and padding 2
    static constexpr std::uint32_t s_synSize =
        56; ///< bytes, with window scale, SACK permitted and timestamps
};

/// BulkTcpOverrides are the options that a user has set; the attributes decide the others.
struct BulkTcpOverrides
{
    std::optional<TcpPreset> preset; ///< what the attributes and the other options come on top of
    std::optional<std::uint32_t> initialWindow;
    std::optional<geotrain::Duration> minRto;
    std::optional<std::uint32_t> delayedAckCount;
    std::optional<geotrain::Duration> delayedAckTimeout;
    std::optional<bool> hyStart; ///< whatever the control
    std::optional<bool> pacing;
    std::optional<bool> pacesSinglePackets;
    std::optional<geotrain::BitRate> mostPacingRate;
    std::optional<bool> tailLossProbe;
    std::optional<bool> autotuning;
    std::optional<bool> offloads;
    std::optional<geotrain::Duration> interruptCoalescing;

    /// Copies the options that are set here into `options`.
    void ApplyTo(BulkTcpOptions& options) const;
};

} // namespace ns3
