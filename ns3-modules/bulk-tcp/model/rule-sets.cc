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
    const bool isStock = options.stockCompatible;
    WindowRules rules;
    rules.measuresTimestamps = isStock;
    rules.boundsPacing = isStock;
    rules.pacesByFlight = isStock;
    rules.keepsInitialWindow = isStock;
    rules.growsUnused = isStock;
    rules.countsSackedAgain = isStock;
    rules.countsDuplicates = isStock;
    rules.reducesUnused = isStock;
    rules.hasPrrOfNs3 = isStock;
    rules.reducesByAdvance = isStock;
    rules.setsWindowOfAll = isStock;
    rules.answersEachMark = isStock;
    rules.reducesAgain = isStock;
    rules.countsRetransmissionLate = isStock;
    rules.ignoresOldAcks = isStock;
    rules.neverUndoes = isStock;
    return rules;
}

RetransmissionTimeout
MakeRetransmissionTimeout(const BulkTcpOptions& options)
{
    return RetransmissionTimeout(options.minRto.ToNanoseconds(),
                                 options.stockCompatible ? RetransmissionTimeout::Formula::Rfc6298
                                                         : RetransmissionTimeout::Formula::Linux,
                                 options.synSpread);
}

ReceiverRules
MakeReceiverRules(const BulkTcpOptions& options)
{
    const bool isStock = options.stockCompatible;
    ReceiverRules rules;
    rules.acknowledgesFirstData = isStock;
    rules.echoesOlderTimestamps = isStock;
    rules.acknowledgesPushed = !isStock;
    rules.reportsDuplicates = !isStock;
    rules.echoesMarksLate = isStock;
    return rules;
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
