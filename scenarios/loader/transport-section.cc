#include "loader/transport-section.h"

#include "loader/nearest-names.h"

#include <ns3/queue-disc.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/type-id.h>

#include <algorithm>

namespace geotrain
{

namespace
{

// Types below `base` that ns-3 can make by name. Ours, which only host others, are left out.
std::vector<NetworkType>
TypesBelow(ns3::TypeId base)
{
    std::vector<NetworkType> types;
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        const bool ofNs3 = type.GetName().rfind("ns3::", 0) == 0;
        if (ofNs3 && type != base && type.IsChildOf(base) && type.HasConstructor())
        {
            types.push_back({type.GetName(), type.GetGroupName()});
        }
    }
    std::sort(types.begin(), types.end(), [](const auto& a, const auto& b) {
        return a.name < b.name;
    });
    return types;
}

std::string
FullName(const std::string& name,
         const std::vector<NetworkType>& types,
         const std::string& what,
         const std::string& field,
         const ScenarioFile& file)
{
    const auto full = name.rfind("ns3::", 0) == 0 ? name : "ns3::" + name;
    std::vector<std::string> names;
    for (const auto& type : types)
    {
        if (type.name == full)
        {
            return full;
        }
        names.push_back(type.name);
    }
    file.Fail(field, name, UnknownName(what, full, names));
}

} // namespace

std::vector<NetworkType>
CongestionControls()
{
    return TypesBelow(ns3::TcpCongestionOps::GetTypeId());
}

std::vector<NetworkType>
QueueDiscs()
{
    return TypesBelow(ns3::QueueDisc::GetTypeId());
}

void
ResolveTransport(scenario::Transport& transport, const ScenarioFile& file)
{
    transport.set_congestion_control(FullName(transport.congestion_control(),
                                              CongestionControls(),
                                              "congestion control",
                                              "transport.congestion_control",
                                              file));
}

void
ResolveQueueDisc(scenario::WanLink& link, const std::string& field, const ScenarioFile& file)
{
    if (link.has_queue_disc() && !link.queue_disc().empty())
    {
        link.set_queue_disc(
            FullName(link.queue_disc(), QueueDiscs(), "queue disc", field, file));
    }
}

} // namespace geotrain
