// SPDX-License-Identifier: GPL-2.0-only
// Defines the settings of bulk-tcp's connections as ns-3 attributes of the TypeId
// geotrain::BulkTcp. So Config::SetDefault("geotrain::BulkTcp::MinRto", ...) and `--ns3
// geotrain::BulkTcp::MinRto=300ms` reach every later connection, over light links and over devices.
// Whoever opens a connection sets its window, MTU and congestion control.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"

#include <ns3/nstime.h>
#include <ns3/object.h>

#include <string>
#include <vector>

namespace ns3
{

/// BulkTcp is an object whose attributes are the settings.
class BulkTcp : public Object
{
  public:
    /// Pacing is how window-based controls are paced.
    enum Pacing
    {
        AUTO, ///< as the preset says: RFC and LINUX_FQ in bursts of a millisecond
        NONE, ///< not at all: Linux without sch_fq
        FQ    ///< packet by packet: sch_fq without segmentation offload
    };

    /// Offload is how many segments a host handles at a time.
    enum Offload
    {
        AS_PRESET, ///< LINUX and LINUX_FQ: several
        EACH,
        SEVERAL ///< bursts of segmentation offload, and GRO
    };

    /// SackCompression is when segments behind a gap are acknowledged.
    enum SackCompression
    {
        BY_PRESET, ///< LINUX and LINUX_FQ: some at a time
        AT_ONCE,
        COMPRESSED
    };

    /// HyStart is which window-based controls have HyStart++, or the HyStart before it.
    enum HyStart
    {
        AS_LINUX, ///< as the preset says: all but STOCK those that have a HyStart in Linux
        OFF,
        ON,     ///< all
        CLASSIC ///< those that have a HyStart in Linux, which is Linux's
    };

    static TypeId GetTypeId();

    /// Returns the options of `preset`, or else of the attribute Preset, overridden by each attribute
    /// that differs from its initial value. Throws geotrain::ConfigError for values that do not go
    /// together.
    BulkTcpOptions Options(std::optional<TcpPreset> preset = std::nullopt) const;

    /// Returns the options that the attributes' defaults describe, as Options() does.
    static BulkTcpOptions DefaultOptions(std::optional<TcpPreset> preset = std::nullopt);

  private:
    static void AddConnectionAttributes(TypeId& id);
    static void AddHyStartAttributes(TypeId& id);

    int m_preset; ///< of TcpPreset: ns-3 keeps enumerators as integers
    std::uint32_t m_initialWindow;
    Time m_minRto;
    std::uint32_t m_delayedAckCount;
    Time m_delayedAckTimeout;
    SackCompression m_sackCompression;
    Pacing m_pacing;
    Offload m_offload;
    bool m_wholeBursts;
    bool m_tailLossProbe;
    bool m_autotuning;
    HyStart m_hyStart;
    Time m_hyStartMinThreshold;
    Time m_hyStartMaxThreshold;
    std::uint32_t m_hyStartDivisor;
    std::uint32_t m_hyStartSamples;
    std::uint32_t m_hyStartGrowthDivisor;
    std::uint32_t m_hyStartRounds;
};

/// A BulkTcpAttribute describes an attribute of BulkTcp, of its socket or of TcpBbr3 in text.
struct BulkTcpAttribute
{
    std::string name;  ///< "geotrain::BulkTcp::MinRto"
    std::string value; ///< the default
    std::string help;
};

/// Returns all attributes of geotrain::BulkTcp, geotrain::BulkTcpSocket and geotrain::TcpBbr3.
std::vector<BulkTcpAttribute> BulkTcpAttributes();

} // namespace ns3
