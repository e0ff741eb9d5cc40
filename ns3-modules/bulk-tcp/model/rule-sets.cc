// SPDX-License-Identifier: GPL-2.0-only
// This is the only place that knows both sets of rules.
#include "bulk-tcp/model/rule-sets.h"

#include "bulk-tcp/model/rack-recovery.h"
#include "bulk-tcp/model/stock-recovery.h"

namespace ns3
{

std::unique_ptr<LossRecovery>
MakeLossRecovery(const BulkTcpOptions& options)
{
    if (options.stockCompatible)
    {
        return std::make_unique<StockRecovery>();
    }
    return std::make_unique<RackRecovery>();
}

WindowRules
MakeWindowRules(const BulkTcpOptions& options)
{
    const bool all = options.stockCompatible;
    return {all, all, all, all, all, all, all, all, all, all, all, all, all, all};
}

RetransmissionTimeout
MakeRetransmissionTimeout(const BulkTcpOptions& options)
{
    return RetransmissionTimeout(options.minRto.ToNanoseconds(),
                                 options.stockCompatible ? RetransmissionTimeout::Formula::Rfc6298
                                                         : RetransmissionTimeout::Formula::Linux);
}

ReceiverRules
MakeReceiverRules(const BulkTcpOptions& options)
{
    return options.stockCompatible ? ReceiverRules{true, true, false, false, true} : ReceiverRules();
}

bool
SendsInBursts(const BulkTcpOptions& options)
{
    return !options.pacing && !options.stockCompatible;
}

bool
EndsSlowStartOfCubic(const BulkTcpOptions& options)
{
    return !options.stockCompatible;
}

} // namespace ns3
