// SPDX-License-Identifier: GPL-2.0-only
#include "loader/transport-section.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "loader/field-path.h"
#include "loader/field-rules.h"
#include "loader/nearest-names.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"
#include "wan-topology/helper/queue-discs.h"

#include <fmt/format.h>
#include <ns3/queue-disc.h>
#include <ns3/type-id.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the names of all queue discs of this ns-3, sorted.
std::vector<std::string>
QueueDiscs()
{
    std::vector<std::string> names;
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        if (type.GetName().rfind("ns3::", 0) == 0 && type.HasConstructor() &&
            type.IsChildOf(ns3::QueueDisc::GetTypeId()))
        {
            names.push_back(type.GetName());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Returns a congestion control with the TypeId `control`.
ns3::Ptr<ns3::TcpCongestionOps>
MakeControl(const std::string& control)
{
    return ns3::MakeCongestionControl(ns3::FindCongestionControl(control), 0);
}

} // namespace

std::vector<NetworkType>
CongestionControls()
{
    std::vector<NetworkType> found;
    for (const ns3::TypeId& type : ns3::AllCongestionControls())
    {
        const auto names = ns3::ShortNamesOf(type);
        found.push_back(
            {type.GetName(), type.GetGroupName(), fmt::format("{}", fmt::join(names, ", "))});
    }
    return found;
}

std::string
FullNameOfControl(const std::string& name, const std::string& field, const ScenarioFile& file)
{
    if (const auto control = ns3::LookUpCongestionControl(name))
    {
        return control->GetName();
    }
    std::vector<KnownName> known;
    for (const ns3::TypeId& type : ns3::AllCongestionControls())
    {
        known.push_back({type.GetName(), ns3::ShortNamesOf(type)});
        known.back().others.push_back(type.GetName().substr(type.GetName().rfind(':') + 1));
    }
    file.Fail(field, name, UnknownName("congestion control", name, known, "congestion-controls"));
}

void
CheckAnswersMarks(const scenario::Transport& transport,
                  const std::string& control,
                  const ScenarioFile& file)
{
    if (NeedsAccurateEcn(control))
    {
        RequireOfBearer(
            transport, ns3::BearerFeature::AccurateEcn, "congestion_control", control, file);
    }
    if (transport.ecn() && !ns3::AnswersMarks(*MakeControl(control)))
    {
        file.Fail("transport.ecn",
                  "true",
                  "needs a congestion control that answers marks, which " + control + " does not");
    }
}

const ns3::BearerKind&
BearerOf(const scenario::Transport& transport)
{
    const auto& kinds = ns3::BearerKinds();
    return *std::find_if(kinds.begin(),
                         kinds.end(),
                         [name = scenario::Bearer_Name(transport.bearer())](const auto& kind)
                         { return kind.NameInScenario() == name; });
}

void
RequireOfBearer(const scenario::Transport& transport,
                ns3::BearerFeature feature,
                const std::string& field,
                const std::string& value,
                const ScenarioFile& file)
{
    if (!BearerOf(transport).Has(feature))
    {
        file.Fail(field, value, "needs transport.bearer " + ns3::BearersWith(feature));
    }
}

bool
NeedsAccurateEcn(const std::string& control)
{
    return ns3::AsksForAccurateEcn(*MakeControl(control));
}

bool
CanOffload(const std::string& control)
{
    return ns3::GoesWithOffloads(*MakeControl(control));
}

namespace
{

/// Throws ConfigError where the bearer, the pacing or the control of `transport` has no offloads.
void
CheckOffload(const scenario::Transport& transport, const ScenarioFile& file)
{
    const std::string field = "transport.offload";
    RequireOfBearer(transport, ns3::BearerFeature::Offload, field, "LINUX", file);
    if (transport.pacing() == scenario::Transport::FQ)
    {
        file.Fail(field, "LINUX", "sends bursts, and transport.pacing FQ packet by packet");
    }
    if (!CanOffload(transport.congestion_control()))
    {
        file.Fail(field,
                  "LINUX",
                  "merges packets, which " + transport.congestion_control() +
                      " has to see one by one");
    }
}

/// Throws ConfigError for settings of bulk-tcp for which ns-3's own sockets have no equal.
void
RefuseTcpSettings(const scenario::Transport& transport, const ScenarioFile& file)
{
    const auto refuse = [&](bool isSet, const char* field, bool value)
    {
        if (isSet)
        {
            RequireOfBearer(transport,
                            ns3::BearerFeature::BulkTcp,
                            std::string("transport.") + field,
                            value ? "true" : "false",
                            file);
        }
    };
    refuse(transport.has_hystart(), "hystart", transport.hystart());
    refuse(transport.has_tail_loss_probe(), "tail_loss_probe", transport.tail_loss_probe());
    refuse(transport.has_autotuning(), "autotuning", transport.autotuning());
    if (transport.has_preset())
    {
        RequireOfBearer(transport,
                        ns3::BearerFeature::BulkTcp,
                        "transport.preset",
                        scenario::Transport::Preset_Name(transport.preset()),
                        file);
    }
    if (transport.offload() == scenario::Offload::LINUX)
    {
        CheckOffload(transport, file);
    }
    if (transport.has_pacing_rate())
    {
        RequireOfBearer(transport,
                        ns3::BearerFeature::PacingRate,
                        "transport.pacing_rate",
                        transport.pacing_rate(),
                        file);
    }
}

/// Returns a field's value where it is set.
template <typename Value>
std::optional<Value>
Optional(bool isSet, const Value& value)
{
    return isSet ? std::optional(value) : std::nullopt;
}

/// Returns the time in a field's text where it is set.
std::optional<Duration>
TimeIn(bool isSet, const std::string& text)
{
    return isSet ? std::optional(ParseDuration(text)) : std::nullopt;
}

std::optional<ns3::TcpPreset>
PresetIn(const scenario::Transport& transport)
{
    switch (transport.preset())
    {
    case scenario::Transport::RFC:
        return ns3::TcpPreset::Rfc;
    case scenario::Transport::LINUX:
        return ns3::TcpPreset::Linux;
    case scenario::Transport::STOCK:
        return ns3::TcpPreset::Stock;
    case scenario::Transport::LINUX_FQ:
        return ns3::TcpPreset::LinuxFq;
    default:
        return std::nullopt;
    }
}

} // namespace

ns3::BulkTcpOverrides
TcpOverridesOf(const scenario::Transport& transport)
{
    ns3::BulkTcpOverrides tcp;
    tcp.preset = PresetIn(transport);
    tcp.initialWindow = Optional(transport.has_initial_window(), Small(transport.initial_window()));
    tcp.minRto = TimeIn(transport.has_min_rto(), transport.min_rto());
    tcp.delayedAckCount = Optional(transport.has_delayed_ack(), Small(transport.delayed_ack()));
    tcp.delayedAckTimeout =
        TimeIn(transport.has_delayed_ack_timeout(), transport.delayed_ack_timeout());
    tcp.hyStart = Optional(transport.has_hystart(), transport.hystart());
    if (transport.has_pacing())
    {
        tcp.pacing = transport.pacing() != scenario::Transport::NONE;
        tcp.pacesSinglePackets = transport.pacing() == scenario::Transport::FQ;
    }
    if (transport.has_pacing_rate())
    {
        tcp.mostPacingRate = ParseBitRate(transport.pacing_rate());
    }
    tcp.tailLossProbe = Optional(transport.has_tail_loss_probe(), transport.tail_loss_probe());
    tcp.autotuning = Optional(transport.has_autotuning(), transport.autotuning());
    tcp.offloads =
        Optional(transport.has_offload(), transport.offload() == scenario::Offload::LINUX);
    tcp.interruptCoalescing =
        TimeIn(transport.has_interrupt_coalescing(), transport.interrupt_coalescing());
    return tcp;
}

ns3::BulkTcpOverrides
TcpOverridesOf(const std::vector<Assignment>& assignments)
{
    scenario::Transport transport;
    for (const auto& one : assignments)
    {
        const auto [field, value] = SplitAssignment(one.text, one.from, "");
        SetField(transport, field, value, one.from);
        ApplyFieldRules(transport, one.from);
    }
    return TcpOverridesOf(transport);
}

void
ResolveTransport(scenario::Transport& transport, const ScenarioFile& file)
{
    transport.set_congestion_control(
        FullNameOfControl(transport.congestion_control(), "transport.congestion_control", file));
    RefuseTcpSettings(transport, file);
    CheckAnswersMarks(transport, transport.congestion_control(), file);
}

void
ResolveQueueDisc(scenario::WanLink& link, const std::string& field, const ScenarioFile& file)
{
    if (link.queue_disc().empty())
    {
        return;
    }
    const bool isFull = link.queue_disc().find("::") != std::string::npos;
    const auto name = (isFull ? "" : "ns3::") + link.queue_disc();
    const auto names = QueueDiscs();
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        file.Fail(field, link.queue_disc(), UnknownName("queue disc", name, names));
    }
    if (!ns3::CanCrossQueueDisc(name))
    {
        file.Fail(
            field, link.queue_disc(), "can't be the only queue disc of a link: ns-3 refuses it");
    }
    link.set_queue_disc(name);
}

} // namespace geotrain
