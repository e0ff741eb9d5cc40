// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/link-model.h"

#include <stdexcept>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Instant;

LinkModel::LinkModel(const Settings& settings)
    : m_settings(settings),
      m_clock(settings.rate),
      m_loss(settings.seed, "wan-link-loss", settings.name),
      m_impaired(settings.IsMoreThanLoss() ? std::make_unique<ImpairedLink>(settings) : nullptr),
      m_learned(settings.learned ? std::make_unique<LearnedDirection>(settings) : nullptr),
      m_isPlain(!m_impaired && !m_learned),
      m_isImpaired(m_impaired || (m_learned && m_learned->MayReorder()))
{
}

LinkModel::Outcome
LinkModel::OfferOther(Instant now, Bytes size, bool ecnCapable)
{
    return m_learned ? m_learned->Offer(now, size) : m_impaired->Offer(now, size, ecnCapable);
}

Instant
LinkModel::Carry(Instant now, Bytes size)
{
    if (!m_isPlain)
    {
        throw std::logic_error("an impaired link carries packets alone");
    }
    m_counters.acceptedBytes += size.Count();
    return m_clock.Send(now, size);
}

bool
LinkModel::MayReorder() const
{
    return (m_settings.jitter && m_settings.jitter->reorders) ||
           (m_learned && m_learned->MayReorder());
}

bool
LinkModel::MayMark() const
{
    return m_settings.step || (m_settings.red && m_settings.red->ecn) ||
           (m_settings.coDel && m_settings.coDel->ecn) || (m_settings.pie && m_settings.pie->ecn);
}

Bytes
LinkModel::Backlog(Instant now) const
{
    if (m_learned)
    {
        return m_learned->Backlog(now);
    }
    return m_impaired ? m_impaired->Backlog(now) : m_clock.Backlog(now);
}

Instant
LinkModel::FreeAt() const
{
    if (m_learned)
    {
        return Instant();
    }
    return m_impaired ? m_impaired->FreeAt() : m_clock.FreeAt();
}

Bytes
LinkModel::SentBytes(Instant now) const
{
    const Bytes inOutages = m_impaired ? m_impaired->SentInOutages(now) : Bytes();
    return Bytes::Of(GetCounters().acceptedBytes) - Backlog(now) - inOutages;
}

const LinkModel::Counters&
LinkModel::GetCounters() const
{
    if (m_learned)
    {
        return m_learned->GetCounters();
    }
    return m_impaired ? m_impaired->GetCounters() : m_counters;
}

} // namespace ns3
