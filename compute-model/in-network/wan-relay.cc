// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/wan-relay.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

WanRelay::WanRelay(MessageLayer& layer,
                   const Settings& settings,
                   StreamEnd& source,
                   StreamEnd& sink,
                   FailureCallback failed)
    : m_layer(layer),
      m_settings(settings),
      m_source(source),
      m_sink(sink),
      m_failed(std::move(failed))
{
}

void
WanRelay::Add(Bytes length)
{
    m_requests.push_back(length);
    Post();
}

bool
WanRelay::HasRoom(Bytes used, Bytes length) const
{
    return used + length <= m_settings.buffer;
}

/// Calls when what one relay knows has come to the other.
void
WanRelay::CallAfterDelay(std::function<void()> call)
{
    Clock& clock = m_layer.GetClock();
    clock.Schedule(clock.Now() + m_settings.delay, std::move(call));
}

/// Gives the switch credit for the blocks that fit into the first buffer.
void
WanRelay::Post()
{
    while (!m_requests.empty())
    {
        const Bytes length = std::min(m_requests.front(), m_settings.block);
        if (!HasRoom(m_atSource, length))
        {
            return;
        }
        m_requests.front() = m_requests.front() - length;
        if (m_requests.front() == Bytes())
        {
            m_requests.pop_front();
        }
        m_atSource = m_atSource + length;
        m_posted.push_back(length);
        m_source.Pull(length, [this] { OnFull(); });
    }
}

void
WanRelay::OnFull()
{
    m_ready.push_back(m_posted.front());
    m_posted.pop_front();
    SendReady();
}

void
WanRelay::SendReady()
{
    while (!m_ready.empty() && HasRoom(m_atSink, m_ready.front()))
    {
        const Bytes length = m_ready.front();
        m_ready.pop_front();
        m_atSink = m_atSink + length;
        const std::int64_t number = m_sent++;
        m_layer.Send(m_settings.from,
                     m_settings.to,
                     length,
                     [this, number, length](const TransferEvent& event)
                     { OnEvent(number, length, event); });
    }
}

void
WanRelay::OnEvent(std::int64_t number, Bytes length, const TransferEvent& event)
{
    if (event.kind == TransferEvent::Kind::Failed)
    {
        m_failed(event.reason);
    }
    if (event.kind != TransferEvent::Kind::Delivered)
    {
        return;
    }
    m_early[number] = length;
    CallAfterDelay(
        [this, length]
        {
            m_atSource = m_atSource - length;
            Post();
        });
    HandOver();
}

void
WanRelay::HandOver()
{
    while (!m_early.empty() && m_early.begin()->first == m_handedOver)
    {
        const Bytes length = m_early.begin()->second;
        m_early.erase(m_early.begin());
        ++m_handedOver;
        m_sink.Push(length,
                    [this, length]
                    {
                        CallAfterDelay(
                            [this, length]
                            {
                                m_atSink = m_atSink - length;
                                SendReady();
                            });
                    });
    }
}

std::int64_t
WanRelay::Progress() const
{
    return m_sent + m_handedOver;
}

std::string
WanRelay::Wait() const
{
    if (m_sent > m_handedOver)
    {
        return "waits for block " + std::to_string(m_handedOver) + " to come over the WAN";
    }
    if (!m_ready.empty())
    {
        return "waits for room behind the WAN for block " + std::to_string(m_sent);
    }
    return m_posted.empty() ? "" : "waits for its switch to fill block " + std::to_string(m_sent);
}

} // namespace geotrain
