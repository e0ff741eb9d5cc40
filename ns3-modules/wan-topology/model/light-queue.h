// SPDX-License-Identifier: GPL-2.0-only
// Models the queue of a light link whose packets don't leave in the order in which they come: they wait
// here, and the link gets the one that the queue discipline names whenever it is free. So a packet that
// is to go first waits at most for the one that is being sent. It costs an event per departure of a busy
// link.
#pragma once

#include "wan-topology/model/light-link.h"
#include "wan-topology/model/policer.h"
#include "wan-topology/model/queue-discipline.h"

#include "wan/link-impairments.h"

#include <memory>
#include <optional>

namespace ns3
{

/// LightQueue stands before a link that has no queue and no policer of its own.
class LightQueue : public PacketElement
{
  public:
    /// `next` gives what it gets to `link`. Both outlive the queue.
    LightQueue(std::unique_ptr<QueueDiscipline> discipline,
               const std::optional<geotrain::PolicerSettings>& policer,
               const LightLink& link,
               PacketElement& next);

    void Receive(const PacketRecord& record) override;

    const QueueDiscipline& Discipline() const;

  private:
    geotrain::Instant Turn() const;
    void Release();

    std::unique_ptr<QueueDiscipline> m_discipline;
    std::optional<Policer> m_policer;
    const LightLink& m_link;
    PacketElement& m_next;
    LazyTimer m_timer;
};

} // namespace ns3
