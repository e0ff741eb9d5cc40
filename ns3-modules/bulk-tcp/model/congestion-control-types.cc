// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/congestion-control-types.h"

#include "bulk-tcp/model/geotrain-cubic.h"
#include "bulk-tcp/model/geotrain-htcp.h"
#include "bulk-tcp/model/geotrain-vegas.h"
#include "bulk-tcp/model/tcp-bbr3.h"
#include "bulk-tcp/model/tcp-prague.h"

#include "units/config-error.h"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/classification.hpp>
#include <boost/range/algorithm_ext/erase.hpp>
#include <ns3/object-factory.h>
#include <ns3/tcp-bbr.h>
#include <ns3/tcp-cubic.h>
#include <ns3/tcp-ledbat.h>

#include <algorithm>
#include <iterator>
#include <utility>

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

/// Other names of controls, as Simplified() gives them. Linux calls its Reno "reno", and versions
/// of BBR are written with a "v".
constexpr std::pair<const char*, const char*> ALIASES[] = {
    {"bbr1", "ns3::TcpBbr"},
    {"bbrv1", "ns3::TcpBbr"},
    {"bbrv3", "geotrain::TcpBbr3"},
    {"reno", "ns3::TcpLinuxReno"},
    {"hstcp", "ns3::TcpHighSpeed"},
};

/// Controls whose slow start Linux ends by HyStart.
constexpr const char* WITH_HYSTART_IN_LINUX[] = {"geotrain::TcpCubic", "ns3::TcpCubic"};

/// Returns a name in lower case without spaces, "-" and "_".
std::string
InLowerCase(const std::string& name)
{
    auto lower = boost::to_lower_copy(name.substr(0, 100)); // names of controls are shorter
    boost::remove_erase_if(lower, boost::is_any_of(" -_"));
    return lower;
}

/// Returns the namespace of a name with "::", in lower case; "" where it has none.
std::string
NamespaceOf(const std::string& name)
{
    const std::string lower = InLowerCase(name);
    const std::size_t end = lower.rfind("::");
    return end == std::string::npos ? "" : lower.substr(0, end + 2);
}

/// Returns a name in lower case without its namespace, "Tcp" in front, spaces, "-" and "_":
/// "cubic" for "TCP Cubic" and "ns3::TcpCubic".
std::string
Simplified(const std::string& name)
{
    std::string simple = InLowerCase(name).substr(NamespaceOf(name).size());
    simple.erase(0, simple.rfind("tcp", 0) == 0 ? 3 : 0);
    return simple;
}

/// Returns the last part of a TypeId's name.
std::string
LastPartOf(const std::string& typeId)
{
    return typeId.substr(typeId.rfind(':') + 1); // npos + 1 is 0
}

/// Returns whether geotrain has another control of the same name.
bool
IsHidden(const std::string& typeId)
{
    TypeId type;
    const std::string ours = "geotrain::" + LastPartOf(typeId);
    return typeId != ours && TypeId::LookupByNameFailSafe(ours, &type);
}

/// Returns whether `simple` is the simplified name of a control or one of its aliases.
bool
IsCalled(TypeId type, const std::string& simple)
{
    return simple == Simplified(type.GetName()) ||
           std::any_of(std::begin(ALIASES),
                       std::end(ALIASES),
                       [&](const auto& alias)
                       { return alias.first == simple && alias.second == type.GetName(); });
}

} // namespace

std::optional<TypeId>
LookUpCongestionControl(const std::string& name)
{
    TypeId type;
    for (const auto* prefix : {"", "geotrain::", "ns3::"})
    {
        if (TypeId::LookupByNameFailSafe(prefix + name, &type) && IsCongestionControl(type))
        {
            return type;
        }
    }
    const auto types = AllCongestionControls();
    const std::string asked = NamespaceOf(name);
    const std::string ours = "geotrain::";
    for (const std::string& wanted : {asked.empty() ? ours : asked, ours, std::string("ns3::")})
    {
        for (const TypeId& candidate : types)
        {
            if (NamespaceOf(candidate.GetName()) == wanted && IsCalled(candidate, Simplified(name)))
            {
                return candidate;
            }
        }
    }
    const auto users =
        std::find_if(types.begin(),
                     types.end(),
                     [&](TypeId candidate) { return IsCalled(candidate, Simplified(name)); });
    return users == types.end() ? std::nullopt : std::optional(*users);
}

TypeId
FindCongestionControl(const std::string& name)
{
    if (const auto found = LookUpCongestionControl(name))
    {
        return *found;
    }
    TypeId type;
    const bool isType = TypeId::LookupByNameFailSafe(name, &type);
    throw geotrain::ConfigError("",
                                "congestion_control",
                                name,
                                isType ? "is a TypeId, but no congestion control"
                                       : "is no congestion control, such as TcpCubic; `geotrain "
                                         "list congestion-controls` has them all");
}

std::vector<std::string>
ShortNamesOf(TypeId type)
{
    std::vector<std::string> names{Simplified(type.GetName())};
    if (IsHidden(type.GetName()))
    {
        names.front().insert(0, NamespaceOf(type.GetName()));
    }
    for (const auto& [alias, typeName] : ALIASES)
    {
        if (type.GetName() == typeName)
        {
            names.emplace_back(alias);
        }
    }
    return names;
}

std::string
NameOfCongestionControl(const std::string& typeId)
{
    return IsHidden(typeId) ? typeId : LastPartOf(typeId);
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

bool
HasHyStartInLinux(TypeId type)
{
    const auto& controls = WITH_HYSTART_IN_LINUX;
    return std::find(std::begin(controls), std::end(controls), type.GetName()) !=
           std::end(controls);
}

bool
AnswersMarks(const TcpCongestionOps& control)
{
    return !control.HasCongControl() || dynamic_cast<const TcpBbr3*>(&control) != nullptr ||
           AsksForAccurateEcn(control);
}

bool
AsksForAccurateEcn(const TcpCongestionOps& control)
{
    return dynamic_cast<const AccurateEcnListener*>(&control) != nullptr;
}

bool
GoesWithOffloads(const TcpCongestionOps& control)
{
    return !AsksForAccurateEcn(control) && dynamic_cast<const TcpLedbat*>(&control) == nullptr;
}

std::vector<TypeId>
AllCongestionControls()
{
    TcpBbr3::GetTypeId();
    geotrain::TcpCubic::GetTypeId();
    geotrain::TcpHtcp::GetTypeId();
    geotrain::TcpPrague::GetTypeId();
    geotrain::TcpVegas::GetTypeId();
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
