// SPDX-License-Identifier: GPL-2.0-only
#include "runner/flow-sender.h"

#include "metrics/statistics.h"
#include "runner/flow-sizes.h"
#include "units/random-stream.h"

#include <cmath>
#include <map>
#include <utility>

namespace geotrain
{

namespace
{

/// SteadyFlow keeps two chunks at each connection, so that none ever lacks data: the next one is
/// handed over when the last byte of one goes to the network.
class SteadyFlow : public FlowSender
{
  public:
    SteadyFlow(const TransferFlow& flow,
               const FlowSenderSettings& settings,
               ns3::Bearer& bearer,
               Clock& clock)
        : FlowSender(flow, bearer, clock),
          m_chunk(settings.chunk)
    {
    }

    void Begin() override
    {
        FlowSender::Begin();
        const std::uint32_t connections = Flow().connections;
        for (std::uint32_t i = 0; i < connections; ++i)
        {
            Open();
            Send(i, i, m_chunk);
            Send(i, connections + i, m_chunk);
        }
    }

    Bytes Delivered() const override
    {
        Bytes delivered;
        for (const auto& state : States())
        {
            delivered += state.acknowledgedBytes;
        }
        return delivered;
    }

  private:
    void OnSent(ns3::MessageNumber part) override
    {
        const std::uint32_t connections = Flow().connections;
        if (!IsStopped())
        {
            Send(static_cast<ns3::ConnectionNumber>(part % connections),
                 part + 2 * std::uint64_t{connections},
                 m_chunk);
        }
    }

    Bytes m_chunk;
};

/// MessageFlow sends messages, each split evenly over the flow's connections.
class MessageFlow : public FlowSender
{
  public:
    MessageFlow(const TransferFlow& flow,
                const FlowSenderSettings& settings,
                ns3::Bearer& bearer,
                Clock& clock,
                MessageCallback callback)
        : FlowSender(flow, bearer, clock),
          m_arrivals(settings.seed, "flow-arrivals", flow.name),
          m_sizes(flow, settings.seed),
          m_callback(std::move(callback))
    {
    }

    void Begin() override
    {
        FlowSender::Begin();
        if (Flow().arrivalsPerSecond > 0)
        {
            ScheduleArrival();
            return;
        }
        StartMessage();
    }

    Bytes Delivered() const override
    {
        return m_delivered;
    }

    std::uint64_t StartedMessages() const override
    {
        return m_started;
    }

  private:
    /// A Message is one on its way.
    struct Message
    {
        SeriesMessage times;
        std::uint32_t partsToSend = 0;
        std::uint32_t partsToDeliver = 0;
        bool hasFirstByte = false;
    };

    void ScheduleArrival()
    {
        const double seconds = -std::log(m_arrivals.Uniform()) / Flow().arrivalsPerSecond;
        GetClock().Schedule(GetClock().Now() + Duration::Seconds(seconds),
                            [this]
                            {
                                if (!IsStopped())
                                {
                                    StartMessage();
                                    ScheduleArrival();
                                }
                            });
    }

    Bytes PartOf(const Message& message, std::uint32_t place) const
    {
        const std::int64_t size = message.times.size.Count();
        const std::int64_t connections = Flow().connections;
        return Bytes::Of(size * (place + 1) / connections - size * place / connections);
    }

    void StartMessage()
    {
        if (IsStopped())
        {
            return;
        }
        const std::uint32_t connections = Flow().connections;
        const std::uint64_t number = m_started++;
        if (number == 0 || Flow().cold)
        {
            m_first = number == 0 ? 0 : m_first + connections;
            for (std::uint32_t place = 0; place < connections; ++place)
            {
                Open();
            }
        }
        Message& message = m_messages[number];
        message.times.number = static_cast<std::uint32_t>(number + 1);
        message.times.size = m_sizes.Next();
        message.times.start = GetClock().Now();
        for (std::uint32_t place = 0; place < connections; ++place)
        {
            if (PartOf(message, place) > Bytes())
            {
                ++message.partsToSend;
                ++message.partsToDeliver;
            }
        }
        for (std::uint32_t place = 0; place < connections; ++place)
        {
            if (PartOf(message, place) > Bytes())
            {
                Send(m_first + place, number * connections + place, PartOf(message, place));
            }
        }
    }

    Message& MessageOf(ns3::MessageNumber part)
    {
        return m_messages.at(part / Flow().connections);
    }

    void OnFirstByte(ns3::MessageNumber part) override
    {
        Message& message = MessageOf(part);
        if (!message.hasFirstByte)
        {
            message.hasFirstByte = true;
            message.times.firstByte = GetClock().Now();
        }
    }

    void OnSent(ns3::MessageNumber part) override
    {
        Message& message = MessageOf(part);
        if (--message.partsToSend == 0)
        {
            message.times.sent = GetClock().Now();
        }
    }

    void OnDelivered(ns3::MessageNumber part) override
    {
        Message& message = MessageOf(part);
        m_delivered += PartOf(message, static_cast<std::uint32_t>(part % Flow().connections));
        if (--message.partsToDeliver > 0)
        {
            return;
        }
        SeriesMessage times = message.times;
        times.delivered = GetClock().Now();
        m_messages.erase(part / Flow().connections);
        if (Flow().arrivalsPerSecond == 0)
        {
            GetClock().Schedule(times.delivered + Flow().gap, [this] { StartMessage(); });
        }
        m_callback(times);
    }

    RandomStream m_arrivals;
    DrawnSizes m_sizes;
    MessageCallback m_callback;
    std::map<std::uint64_t, Message> m_messages; ///< on their way, by number from 0
    std::uint64_t m_started = 0;
    ns3::ConnectionNumber m_first = 0; ///< first connection of the newest message
    Bytes m_delivered;
};

} // namespace

std::unique_ptr<FlowSender>
FlowSender::Make(const TransferFlow& flow,
                 const FlowSenderSettings& settings,
                 ns3::Bearer& bearer,
                 Clock& clock,
                 MessageCallback callback)
{
    if (flow.IsSteady())
    {
        return std::make_unique<SteadyFlow>(flow, settings, bearer, clock);
    }
    return std::make_unique<MessageFlow>(flow, settings, bearer, clock, std::move(callback));
}

FlowSender::FlowSender(const TransferFlow& flow, ns3::Bearer& bearer, Clock& clock)
    : m_flow(flow),
      m_clock(clock)
{
    ns3::TransportOptions options = flow;
    options.streamName = "flow " + flow.name;
    m_transport = bearer.MakeTransport(options);
    m_transport->SetObserver(*this);
}

void
FlowSender::Begin()
{
    m_hasBegun = true;
}

void
FlowSender::Stop()
{
    m_isStopped = true;
}

bool
FlowSender::HasBegun() const
{
    return m_hasBegun;
}

const TransferFlow&
FlowSender::Flow() const
{
    return m_flow;
}

std::vector<ns3::FlowState>
FlowSender::States() const
{
    std::vector<ns3::FlowState> states;
    states.reserve(m_connections);
    for (ns3::ConnectionNumber i = 0; i < m_connections; ++i)
    {
        states.push_back(m_transport->State(i));
    }
    return states;
}

std::uint64_t
FlowSender::StartedMessages() const
{
    return 0;
}

const std::string&
FlowSender::Failure() const
{
    return m_failure;
}

void
FlowSender::CheckConservation() const
{
    m_transport->CheckConservation();
}

ns3::ConnectionNumber
FlowSender::Open()
{
    ++m_connections;
    return m_transport->Open(m_flow.source, m_flow.destination);
}

void
FlowSender::Send(ns3::ConnectionNumber connection, ns3::MessageNumber part, Bytes size)
{
    m_transport->Send(connection, part, size);
}

bool
FlowSender::IsStopped() const
{
    return m_isStopped;
}

Clock&
FlowSender::GetClock() const
{
    return m_clock;
}

void
FlowSender::OnFirstByte(ns3::MessageNumber /*part*/)
{
}

void
FlowSender::OnSent(ns3::MessageNumber /*part*/)
{
}

void
FlowSender::OnDelivered(ns3::MessageNumber /*part*/)
{
}

void
FlowSender::OnDrained(ns3::ConnectionNumber /*connection*/)
{
}

void
FlowSender::OnFailed(ns3::ConnectionNumber /*connection*/,
                     ns3::MessageNumber /*part*/,
                     const std::string& reason)
{
    m_failure = reason;
}

} // namespace geotrain
