// SPDX-License-Identifier: GPL-2.0-only
// Each attribute has the bounds beyond which a connection would stand still or make no sense.
#include "bulk-tcp/model/bulk-tcp-attributes.h"

#include "bulk-tcp/model/bulk-tcp-socket.h"
#include "bulk-tcp/model/switch-attribute.h"
#include "bulk-tcp/model/tcp-bbr3.h"

#include <ns3/boolean.h>
#include <ns3/enum.h>
#include <ns3/uinteger.h>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BulkTcp);

namespace
{

Time
TimeOf(std::int64_t ns)
{
    return TimeStep(static_cast<std::uint64_t>(ns));
}

Time
TimeOf(geotrain::Duration duration)
{
    return TimeOf(duration.ToNanoseconds());
}

geotrain::Duration
DurationOf(const Time& time)
{
    return geotrain::Duration::Nanoseconds(time.GetNanoSeconds());
}

template <typename T>
void
Override(T& field, const T& initial, const T& value)
{
    if (value != initial)
    {
        field = value;
    }
}

} // namespace

TypeId
BulkTcp::GetTypeId()
{
    static TypeId id = []
    {
        TypeId type("geotrain::BulkTcp");
        type.SetParent<Object>().SetGroupName("BulkTcp").AddConstructor<BulkTcp>();
        AddConnectionAttributes(type);
        AddHyStartAttributes(type);
        return type;
    }();
    return id;
}

void
BulkTcp::AddConnectionAttributes(TypeId& id)
{
    const BulkTcpOptions initial;
    id.AddAttribute("Preset",
                    "LINUX_FQ as a host with Linux 6.18 and sch_fq; LINUX as one that does not "
                    "pace; RFC; or STOCK "
                    "for comparison with ns-3's own sockets. Attributes that are not at their "
                    "initial value come on "
                    "top.",
                    EnumValue(static_cast<int>(TcpPreset::LinuxFq)),
                    MakeEnumAccessor(&BulkTcp::m_preset),
                    MakeEnumChecker(static_cast<int>(TcpPreset::LinuxFq),
                                    "LINUX_FQ",
                                    static_cast<int>(TcpPreset::Rfc),
                                    "RFC",
                                    static_cast<int>(TcpPreset::Linux),
                                    "LINUX",
                                    static_cast<int>(TcpPreset::Stock),
                                    "STOCK"));
    id.AddAttribute(
        "InitialWindow",
        "Segments that a new connection sends before it hears an acknowledgement (RFC 6928).",
        UintegerValue(initial.initialWindow),
        MakeUintegerAccessor(&BulkTcp::m_initialWindow),
        MakeUintegerChecker<std::uint32_t>(1, 10000));
    id.AddAttribute("MinRto",
                    "Least allowance for variation in the retransmission timeout, which is SRTT + "
                    "max(4 RTTVAR, MinRto) as in Linux; with Preset STOCK the least timeout.",
                    TimeValue(TimeOf(initial.minRto)),
                    MakeTimeAccessor(&BulkTcp::m_minRto),
                    MakeTimeChecker(MilliSeconds(1), Seconds(60)));
    id.AddAttribute("DelayedAckCount",
                    "Data packets that one acknowledgement waits for (RFC 5681: 2).",
                    UintegerValue(initial.delayedAckCount),
                    MakeUintegerAccessor(&BulkTcp::m_delayedAckCount),
                    MakeUintegerChecker<std::uint32_t>(1, 1000));
    id.AddAttribute("DelayedAckTimeout",
                    "How long an acknowledgement waits for them; Linux has 40 ms.",
                    TimeValue(TimeOf(initial.delayedAckTimeout)),
                    MakeTimeAccessor(&BulkTcp::m_delayedAckTimeout),
                    MakeTimeChecker(MilliSeconds(1), Seconds(1)));
    AddSwitchAttribute(
        id,
        "SackCompression",
        "Whether acknowledgements of segments behind a gap wait for the next ones, as Linux's do: "
        "after the first three one per 5 % of the round trip, 1 ms at most. RFC 5681, section "
        "4.2, wants each at once. AUTO: with Preset LINUX and LINUX_FQ.",
        &BulkTcp::m_sackCompression,
        {{{BY_PRESET, "AUTO"}}, AT_ONCE, COMPRESSED});
    AddSwitchAttribute(
        id,
        "Pacing",
        "How window-based controls are paced, at 2 windows per round trip in slow start and 1.2 "
        "after it. AUTO (or true): in bursts of a millisecond; FQ: packet by packet, as sch_fq "
        "without segmentation offload; NONE (or false): not at all, as Linux without sch_fq.",
        &BulkTcp::m_pacing,
        {{{AUTO, "AUTO"}, {NONE, "NONE"}, {FQ, "FQ"}}, NONE, AUTO});
    id.AddAttribute(
        "Offload",
        "LINUX: bursts of segmentation offload, and acknowledgements of what GRO has merged, over "
        "light links. AUTO: LINUX with Preset LINUX and LINUX_FQ, else NONE. How long GRO merges "
        "is the field "
        "transport.interrupt_coalescing.",
        EnumValue(AS_PRESET),
        MakeEnumAccessor(&BulkTcp::m_offload),
        MakeEnumChecker(AS_PRESET, "AUTO", EACH, "NONE", SEVERAL, "LINUX"));
    id.AddAttribute(
        "WholeBursts",
        "Whether a burst of segmentation offload is one event on links that do no more than delay, "
        "drop at full queues and lose at random; false: each packet is, which takes longer.",
        BooleanValue(initial.wholeBursts),
        MakeBooleanAccessor(&BulkTcp::m_wholeBursts),
        MakeBooleanChecker());
    id.AddAttribute(
        "TailLossProbe",
        "Whether a probe looks for the loss of a flight's last segments (RFC 8985, section 7).",
        BooleanValue(initial.tailLossProbe),
        MakeBooleanAccessor(&BulkTcp::m_tailLossProbe),
        MakeBooleanChecker());
    id.AddAttribute(
        "Autotuning",
        "Whether the receive window grows with what arrives; else it is the whole buffer at once.",
        BooleanValue(initial.autotuneWindow),
        MakeBooleanAccessor(&BulkTcp::m_autotuning),
        MakeBooleanChecker());
}

void
BulkTcp::AddHyStartAttributes(TypeId& id)
{
    const BulkTcpOptions initial;
    AddSwitchAttribute(
        id,
        "HyStart",
        "Which window-based controls may end their first slow start by HyStart++ (RFC 9406), which "
        "replaces the control's own HyStart. AUTO: those that have a HyStart in Linux; true: all; "
        "false: none; CLASSIC: those that have one in Linux, and Linux's own, which ends slow "
        "start at once, also by the length of a train of acknowledgements.",
        &BulkTcp::m_hyStart,
        {{{AS_LINUX, "AUTO"}, {CLASSIC, "CLASSIC"}}, OFF, ON});
    id.AddAttribute("HyStartMinThreshold",
                    "MIN_RTT_THRESH of RFC 9406: the least rise of the round trip that counts.",
                    TimeValue(TimeOf(initial.hyStart.minThresholdNs)),
                    MakeTimeAccessor(&BulkTcp::m_hyStartMinThreshold),
                    MakeTimeChecker(NanoSeconds(1), Seconds(10)));
    id.AddAttribute("HyStartMaxThreshold",
                    "MAX_RTT_THRESH of RFC 9406: a rise that counts in any case.",
                    TimeValue(TimeOf(initial.hyStart.maxThresholdNs)),
                    MakeTimeAccessor(&BulkTcp::m_hyStartMaxThreshold),
                    MakeTimeChecker(NanoSeconds(1), Seconds(10)));
    id.AddAttribute(
        "HyStartDivisor",
        "MIN_RTT_DIVISOR of RFC 9406: which part of the round trip counts between the two.",
        UintegerValue(static_cast<std::uint64_t>(initial.hyStart.thresholdDivisor)),
        MakeUintegerAccessor(&BulkTcp::m_hyStartDivisor),
        MakeUintegerChecker<std::uint32_t>(1, 1000));
    id.AddAttribute("HyStartSamples",
                    "N_RTT_SAMPLE of RFC 9406: measurements that a round needs.",
                    UintegerValue(initial.hyStart.samples),
                    MakeUintegerAccessor(&BulkTcp::m_hyStartSamples),
                    MakeUintegerChecker<std::uint32_t>(1, 1000));
    id.AddAttribute(
        "HyStartGrowthDivisor",
        "CSS_GROWTH_DIVISOR of RFC 9406: how much slower conservative slow start grows.",
        UintegerValue(initial.hyStart.growthDivisor),
        MakeUintegerAccessor(&BulkTcp::m_hyStartGrowthDivisor),
        MakeUintegerChecker<std::uint32_t>(1, 1000));
    id.AddAttribute(
        "HyStartRounds",
        "CSS_ROUNDS of RFC 9406: rounds of conservative slow start before slow start is over.",
        UintegerValue(initial.hyStart.conservativeRounds),
        MakeUintegerAccessor(&BulkTcp::m_hyStartRounds),
        MakeUintegerChecker<std::uint32_t>(1, 1000));
}

BulkTcpOptions
BulkTcp::Options(std::optional<TcpPreset> preset) const
{
    const BulkTcpOptions initial;
    BulkTcpOptions options = BulkTcpOptions::Of(preset.value_or(static_cast<TcpPreset>(m_preset)));
    Override(options.initialWindow, initial.initialWindow, m_initialWindow);
    Override(options.minRto, initial.minRto, DurationOf(m_minRto));
    Override(options.delayedAckCount, initial.delayedAckCount, m_delayedAckCount);
    Override(options.delayedAckTimeout, initial.delayedAckTimeout, DurationOf(m_delayedAckTimeout));
    Override(options.wholeBursts, initial.wholeBursts, m_wholeBursts);
    Override(options.tailLossProbe, initial.tailLossProbe, m_tailLossProbe);
    Override(options.autotuneWindow, initial.autotuneWindow, m_autotuning);
    if (m_pacing != AUTO)
    {
        options.pacing = m_pacing == FQ;
        options.pacesSinglePackets = m_pacing == FQ;
        options.offloads = options.offloads && m_pacing != FQ;
    }
    if (m_sackCompression != BY_PRESET)
    {
        options.sackCompression = m_sackCompression == COMPRESSED;
    }
    if (m_offload != AS_PRESET)
    {
        options.offloads = m_offload == SEVERAL;
    }
    if (m_hyStart != AS_LINUX)
    {
        options.hyStartPlusPlus = m_hyStart != OFF;
        options.hyStartForAll = m_hyStart == ON;
        options.classicHyStart = m_hyStart == CLASSIC;
    }
    options.hyStart = {m_hyStartMinThreshold.GetNanoSeconds(),
                       m_hyStartMaxThreshold.GetNanoSeconds(),
                       m_hyStartDivisor,
                       m_hyStartSamples,
                       m_hyStartGrowthDivisor,
                       m_hyStartRounds};
    options.Validate();
    return options;
}

BulkTcpOptions
BulkTcp::DefaultOptions(std::optional<TcpPreset> preset)
{
    return CreateObject<BulkTcp>()->Options(preset);
}

std::vector<BulkTcpAttribute>
BulkTcpAttributes()
{
    std::vector<BulkTcpAttribute> attributes;
    for (const TypeId& type :
         {BulkTcp::GetTypeId(), BulkTcpSocket::GetTypeId(), TcpBbr3::GetTypeId()})
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            attributes.push_back(
                {type.GetName() + "::" + attribute.name,
                 attribute.originalInitialValue->SerializeToString(attribute.checker),
                 attribute.help});
        }
    }
    return attributes;
}

} // namespace ns3
