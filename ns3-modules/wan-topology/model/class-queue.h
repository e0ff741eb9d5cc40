// SPDX-License-Identifier: GPL-2.0-only
// Models the queue of a link that serves by class: the classes of the highest priority first (strict
// priority, as Linux's prio), those of one priority by weight (deficit round robin in bytes, Shreedhar
// and Varghese, SIGCOMM'95). A class may be shaped to a rate, or policed. Each class has the whole limit,
// so that what waits of one class takes no room from another.
#pragma once

#include "wan-topology/model/class-shaper.h"
#include "wan-topology/model/policer.h"
#include "wan-topology/model/queue-discipline.h"

#include "wan/traffic-class.h"

#include <optional>
#include <vector>

namespace ns3
{

/// ClassQueue is a queue per class.
class ClassQueue : public QueueDiscipline
{
  public:
    /// `mtu` is the largest packet. `classOf` returns an index into `classes`.
    ClassQueue(const std::vector<geotrain::TrafficClass>& classes,
               const QueueLimit& limitOfEach,
               geotrain::Bytes mtu,
               PacketClassifier classOf);

    void Enqueue(geotrain::Instant now, const PacketRecord& record) override;
    std::optional<PacketRecord> Dequeue(geotrain::Instant now) override;
    std::optional<geotrain::Instant> Ready(geotrain::Instant now) const override;

  private:
    struct Class
    {
        int priority;
        std::optional<Policer> policer;
    };

    ClassShaper<Waiting> m_waiting; ///< without a rate for all: the link has it
    std::vector<Class> m_classes;
    PacketClassifier m_classOf;
};

} // namespace ns3
