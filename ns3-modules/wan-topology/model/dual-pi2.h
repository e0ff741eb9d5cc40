// SPDX-License-Identifier: GPL-2.0-only
// Models DualPI2 (RFC 9332, appendix A): an L4S queue for packets of ECT(1) and those already marked, and
// a classic queue for the others. A PI controller holds the wait of classic packets at its target by a
// base probability p', which is squared for them and multiplied by the coupling factor for L4S packets.
// Those are also marked by their own wait. When coupled marking saturates, L4S packets are dropped as
// classic ones are. Marks and drops are spread evenly (recur() of the RFC), so that nothing is drawn.
#pragma once

#include "wan-topology/model/aqm-verdict.h"
#include "wan-topology/model/queue-discipline.h"
#include "wan-topology/model/queue-limit.h"
#include "wan/queue-kinds.h"

#include "units/growing-ring.h"

namespace ns3
{

/// DualPi2 is the two queues.
class DualPi2 : public QueueDiscipline
{
  public:
    /// `limit` is of both together. `mtu` is the credit by which the weighted scheduler may be ahead.
    DualPi2(const geotrain::DualPi2Settings& settings,
            const QueueLimit& limit,
            geotrain::Bytes mtu);

    void Enqueue(geotrain::Instant now, const PacketRecord& record) override;
    std::optional<PacketRecord> Dequeue(geotrain::Instant now) override;

    /// Returns p'.
    double BaseProbability() const
    {
        return m_base;
    }

  private:
    /// A Queue is one of the two. It holds packets and the fraction of a mark or drop that is due.
    struct Queue
    {
        geotrain::GrowingRing<Waiting> packets;
        double due = 0;

        /// Returns true as often as `likelihood` says.
        bool Recurs(double likelihood);

        geotrain::Duration WaitOfFirst(geotrain::Instant now) const;
    };

    void Update(geotrain::Instant now);
    bool IsL4sNext(geotrain::Instant now) const;
    void Credit(bool isL4s, geotrain::Bytes size);
    AqmVerdict DecideL4s(geotrain::Duration wait);
    AqmVerdict DecideClassic(bool ecnCapable);
    double NativeProbability(geotrain::Duration wait) const;
    double ClassicProbability() const;

    geotrain::DualPi2Settings m_settings;
    QueueLimit m_limit;
    geotrain::Duration m_interval; ///< T_update
    double m_alpha;                ///< Hz
    double m_beta;                 ///< Hz
    double m_mostClassic;          ///< p_Cmax
    double m_firstCredit;          ///< of an idle link
    Queue m_l4s;
    Queue m_classic;
    double m_base = 0; ///< p'
    geotrain::Duration m_waitBefore;
    geotrain::Instant m_nextUpdate;
    double m_credit; ///< of the classic queue, in bytes; positive: it goes first
};

} // namespace ns3
