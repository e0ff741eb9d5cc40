// SPDX-License-Identifier: GPL-2.0-only
// Runs BBRv3's ProbeRTT (draft-ietf-ccwg-bbr-06, 5.3.4). Few bytes are kept in flight for 200 ms
// and a round, so that the queue empties and the round trip can be measured.
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

/// Bbr3ProbeRtt is the state of one ProbeRTT phase.
class Bbr3ProbeRtt
{
  public:
    void Begin(Bbr3PathModel& model);

    /// Takes each acknowledgement of the phase. Returns true when the phase may be over: then ask
    /// IsDone().
    bool Update(const TcpSocketState& tcb, Bbr3PathModel& model);

    bool IsDone(std::int64_t nowNs) const;

  private:
    /// End of the phase; 0: more than the small window is still in flight.
    std::int64_t m_doneNs = 0;
    bool m_isRoundDone = false;
};

} // namespace ns3
