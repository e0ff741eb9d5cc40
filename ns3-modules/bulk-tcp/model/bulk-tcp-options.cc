// SPDX-License-Identifier: GPL-2.0-only
// Defines the presets and the checks.
#include "bulk-tcp/model/bulk-tcp-options.h"

#include "bulk-tcp/model/congestion-control-types.h"

#include "units/config-error.h"
#include "units/random-stream.h"

namespace ns3
{

namespace
{

void
CheckRange(const char* field,
           std::int64_t value,
           std::int64_t low,
           std::int64_t high,
           const std::string& unit = "")
{
    if (value < low || value > high)
    {
        throw geotrain::ConfigError("",
                                    field,
                                    std::to_string(value) + unit,
                                    "must be between " + std::to_string(low) + unit + " and " +
                                        std::to_string(high) + unit);
    }
}

void
CheckRange(const char* field, geotrain::Bytes value, std::int64_t low, std::int64_t high)
{
    CheckRange(field, value.Count(), low, high, " B");
}

void
CheckRange(const char* field, geotrain::Duration value, std::int64_t low, std::int64_t high)
{
    CheckRange(field, value.ToNanoseconds(), low, high, " ns");
}

void
CheckHyStart(const HyStartPlusPlus::Constants& hyStart)
{
    constexpr std::int64_t longest = 10000000000;
    CheckRange("HyStartMinThreshold", hyStart.minThresholdNs, 1, longest, " ns");
    CheckRange("HyStartMaxThreshold", hyStart.maxThresholdNs, 1, longest, " ns");
    CheckRange("HyStartDivisor", hyStart.thresholdDivisor, 1, 1000);
    CheckRange("HyStartSamples", hyStart.samples, 1, 1000);
    CheckRange("HyStartGrowthDivisor", hyStart.growthDivisor, 1, 1000);
    CheckRange("HyStartRounds", hyStart.conservativeRounds, 1, 1000);
    if (hyStart.minThresholdNs > hyStart.maxThresholdNs)
    {
        throw geotrain::ConfigError("",
                                    "HyStartMinThreshold",
                                    std::to_string(hyStart.minThresholdNs) + " ns",
                                    "must not exceed HyStartMaxThreshold");
    }
}

} // namespace

double
BulkTcpOptions::SynSpreadOf(const std::string& name)
{
    constexpr double most = 0.25;
    return most * geotrain::RandomStream(0, "syn-timeout", name).Uniform();
}

BulkTcpOptions
BulkTcpOptions::StockCompatible()
{
    BulkTcpOptions options;
    options.minRto = geotrain::Duration::Milliseconds(1000);
    options.delayedAckTimeout = geotrain::Duration::Milliseconds(200);
    options.quickAcks = 0;
    options.autotuneWindow = false;
    options.hyStartPlusPlus = false;
    options.slowStartAfterIdle = false;
    options.tailLossProbe = false;
    options.pacing = false;
    options.stockCompatible = true;
    return options;
}

BulkTcpOptions
BulkTcpOptions::AsLinux(bool pacing)
{
    BulkTcpOptions options;
    options.sackCompression = true;
    options.classicHyStart = true;
    options.cubicAsLinux = true;
    options.pacing = pacing;
    options.leastBurst = 2;
    options.offloads = true;
    return options;
}

BulkTcpOptions
BulkTcpOptions::Of(TcpPreset preset)
{
    switch (preset)
    {
    case TcpPreset::Linux:
        return AsLinux(false);
    case TcpPreset::LinuxFq:
        return AsLinux(true);
    case TcpPreset::Stock:
        return StockCompatible();
    default:
        return {};
    }
}

void
BulkTcpOptions::Validate() const
{
    CheckRange("mtu", mtu, 576, 65535);
    CheckRange("window", window, SegmentSize(), 2147483647);
    CheckRange("initial_window", initialWindow, 1, 10000);
    CheckRange("delayed_ack_count", delayedAckCount, 1, 1000);
    CheckRange("min_rto", minRto, 1000000, 60000000000);
    CheckRange("delayed_ack_timeout", delayedAckTimeout, 1000000, 1000000000);
    CheckRange("interrupt_coalescing", interruptCoalescing, 1, 10000000);
    CheckHyStart(hyStart);
    if (offloads && pacesSinglePackets)
    {
        throw geotrain::ConfigError("", "pacing", "FQ", "does not go with offload LINUX");
    }
    if (mostPacingRate)
    {
        CheckRange(
            "pacing_rate", mostPacingRate->ToBitsPerSecond(), 1, 100000000000000, " bit/s");
    }
    const TypeId control = FindCongestionControl(congestionControl);
    if (ecn)
    {
        ValidateControl(*MakeCongestionControl(control, 0));
    }
}

void
BulkTcpOptions::ValidateControl(const TcpCongestionOps& control) const
{
    if (ecn && !AnswersMarks(control))
    {
        throw geotrain::ConfigError("",
                                    "ecn",
                                    "true",
                                    "needs a congestion control that answers marks, which " +
                                        control.GetInstanceTypeId().GetName() + " does not");
    }
}

void
BulkTcpOverrides::ApplyTo(BulkTcpOptions& options) const
{
    options.initialWindow = initialWindow.value_or(options.initialWindow);
    options.minRto = minRto.value_or(options.minRto);
    options.delayedAckCount = delayedAckCount.value_or(options.delayedAckCount);
    options.delayedAckTimeout = delayedAckTimeout.value_or(options.delayedAckTimeout);
    options.hyStartPlusPlus = hyStart.value_or(options.hyStartPlusPlus);
    options.hyStartForAll = hyStart.value_or(options.hyStartForAll);
    options.pacing = pacing.value_or(options.pacing);
    options.pacesSinglePackets = pacesSinglePackets.value_or(options.pacesSinglePackets);
    options.mostPacingRate = mostPacingRate ? mostPacingRate : options.mostPacingRate;
    options.tailLossProbe = tailLossProbe.value_or(options.tailLossProbe);
    options.autotuneWindow = autotuning.value_or(options.autotuneWindow);
    options.offloads = offloads.value_or(options.offloads && !pacesSinglePackets.value_or(false));
    options.interruptCoalescing = interruptCoalescing.value_or(options.interruptCoalescing);
}

} // namespace ns3
