// SPDX-License-Identifier: GPL-2.0-only
// BBRv3's ProbeRTT (draft-ietf-ccwg-bbr-05, 5.3.4): the flight is held small for 200 ms and a
// round, so that the queue empties and the round trip shows.
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"

#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace ns3
{

class Bbr3ProbeRtt
{
  public:
    void Begin(Bbr3PathModel& model);

    /// Each acknowledgement while it lasts. True when it may be over: ask IsDone().
    bool Update(const TcpSocketState& tcb, Bbr3PathModel& model);

    bool IsDone(std::int64_t nowNs) const;

  private:
    std::int64_t m_doneNs = 0; ///< 0: the flight is not small yet
    bool m_isRoundDone = false;
};

} // namespace ns3
