// SPDX-License-Identifier: GPL-2.0-only
#include "execution/execution-plan.h"

#include "execution/all-to-all.h"

namespace geotrain
{

namespace
{

CollectiveKind
CollectiveKindOf(InstructionKind kind)
{
    switch (kind)
    {
    case InstructionKind::ReduceScatter:
        return CollectiveKind::ReduceScatter;
    case InstructionKind::AllGather:
        return CollectiveKind::AllGather;
    case InstructionKind::Pull:
        return CollectiveKind::Pull;
    case InstructionKind::Push:
        return CollectiveKind::Push;
    case InstructionKind::AllToAll:
        return CollectiveKind::AllToAll;
    default:
        return CollectiveKind::AllReduce;
    }
}

} // namespace

CollectiveRequest
ExecutionPlan::RequestOf(const Instruction& collective) const
{
    CollectiveRequest request;
    request.kind = CollectiveKindOf(collective.kind);
    request.size = collective.size;
    for (const WorkerIndex member : groups[collective.group])
    {
        request.members.push_back(workers[member].node);
    }
    if (request.kind == CollectiveKind::AllToAll)
    {
        request.algorithm = &allToAllCollective;
        request.betweenNodes = betweenNodes;
    }
    else if (chooseCollective && !IsInNetwork(request.kind))
    {
        request.algorithm = &chooseCollective(request);
    }
    return request;
}

} // namespace geotrain
