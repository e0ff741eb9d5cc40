// SPDX-License-Identifier: GPL-2.0-only
// Holds what pairs with and without windows have in common.
#include "analytic/pair-sender.h"

#include <algorithm>

namespace geotrain
{

PairSender::PairSender()
    : m_queue(*this)
{
}

PairSender::~PairSender() = default;

void
PairSender::TakeEvents(std::vector<Event>& events)
{
    events.clear();
    events.swap(m_events);
}

Instant
PairSender::NextEvent() const
{
    return m_events.empty() ? std::min(m_queue.NextMark(), NextSend()) : m_queue.Now();
}

const PairQueue&
PairSender::KeepingQueue(PairSender& other, Duration howLong)
{
    other.m_queue.KeepDepartures(howLong);
    return other.m_queue;
}

} // namespace geotrain
