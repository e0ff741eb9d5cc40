#include "bulk-tcp/model/bulk-tcp-options.h"

#include "bulk-tcp/model/congestion-control-types.h"

#include "units/config-error.h"

namespace ns3
{

namespace
{

void
CheckRange(const char* field, geotrain::Bytes value, std::int64_t low, std::int64_t high)
{
    if (value.Count() < low || value.Count() > high)
    {
        throw geotrain::ConfigError("",
                                    field,
                                    std::to_string(value.Count()) + " B",
                                    "must be between " + std::to_string(low) + " B and " +
                                        std::to_string(high) + " B");
    }
}

} // namespace

BulkTcpOptions
BulkTcpOptions::StockCompatible()
{
    BulkTcpOptions options;
    options.minRto = geotrain::Duration::Milliseconds(1000);
    options.delayedAckTimeout = geotrain::Duration::Milliseconds(200);
    options.autotuneWindow = false;
    options.hyStartPlusPlus = false;
    options.slowStartAfterIdle = false;
    options.tailLossProbe = false;
    options.pacing = false;
    options.stockCompatible = true;
    return options;
}

void
BulkTcpOptions::Validate() const
{
    CheckRange("mtu", mtu, 576, 65535);
    CheckRange("window", window, SegmentSize(), 2147483647);
    FindCongestionControl(congestionControl);
}

} // namespace ns3
