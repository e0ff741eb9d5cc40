// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/congestion-control-types.h"

#include "bulk-tcp/model/tcp-bbr3.h"

#include "units/config-error.h"

#include <ns3/object-factory.h>
#include <ns3/tcp-bbr.h>
#include <ns3/tcp-cubic.h>

#include <algorithm>

namespace ns3
{

namespace
{

bool
IsCongestionControl(TypeId type)
{
    // ns-3 3.37's TcpCubic names TcpSocketBase as its parent.
    return type == TcpCubic::GetTypeId() ||
           (type.IsChildOf(TcpCongestionOps::GetTypeId()) && type.HasConstructor());
}

} // namespace

TypeId
FindCongestionControl(const std::string& name)
{
    TcpBbr3::GetTypeId(); // in a static library only types that are used get registered
    TypeId type;
    const bool found = TypeId::LookupByNameFailSafe(name, &type) ||
                       TypeId::LookupByNameFailSafe("ns3::" + name, &type) ||
                       TypeId::LookupByNameFailSafe("geotrain::" + name, &type);
    if (!found || !IsCongestionControl(type))
    {
        throw geotrain::ConfigError("",
                                    "congestion_control",
                                    name,
                                    found ? "is a TypeId, but no congestion control"
                                          : "is no congestion control, such as TcpCubic");
    }
    return type;
}

Ptr<TcpCongestionOps>
MakeCongestionControl(TypeId type, std::int64_t stream)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    const Ptr<TcpCongestionOps> control = factory.Create<TcpCongestionOps>();
    if (const Ptr<TcpBbr> bbr = DynamicCast<TcpBbr>(control))
    {
        bbr->SetStream(static_cast<std::uint32_t>(stream));
    }
    if (const Ptr<TcpBbr3> bbr3 = DynamicCast<TcpBbr3>(control))
    {
        bbr3->SetStream(stream);
    }
    return control;
}

std::vector<TypeId>
AllCongestionControls()
{
    TcpBbr3::GetTypeId();
    std::vector<TypeId> types;
    for (std::uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (IsCongestionControl(type))
        {
            types.push_back(type);
        }
    }
    std::sort(
        types.begin(), types.end(), [](TypeId a, TypeId b) { return a.GetName() < b.GetName(); });
    return types;
}

} // namespace ns3
