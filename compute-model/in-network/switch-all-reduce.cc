// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/switch-all-reduce.h"

#include <utility>

namespace geotrain
{

CollectiveHandle
SwitchAllReduce::Join(const CollectiveRequest& request,
                      std::uint32_t member,
                      CollectiveCallback callback)
{
    if (request.kind != CollectiveKind::AllReduce || request.members.size() != Sites().Workers())
    {
        return JoinOthers(request, member, std::move(callback));
    }
    StreamEnd& end = Sites().Worker(member, 0);
    end.Pull(request.size, Open(request, member, std::move(callback), request.size * 2));
    end.Push(request.size, {});
    return {request.number};
}

} // namespace geotrain
