// SPDX-License-Identifier: GPL-2.0-only
#include "execution/execution-plan.h"

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
    if (chooseCollective && !IsInNetwork(request.kind))
    {
        request.algorithm = &chooseCollective(request);
    }
    return request;
}

} // namespace geotrain
