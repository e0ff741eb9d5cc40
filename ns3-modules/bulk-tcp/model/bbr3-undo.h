// SPDX-License-Identifier: GPL-2.0-only
// Keeps what BBRv3 needs to undo a loss recovery that turns out to be spurious
// (draft-ietf-ccwg-bbr-06, 2.15 and 5.5.11). The state is saved once per recovery, at its begin, as
// the text of 5.5.11.1 says. The pseudocode of 5.5.10.2 also saves it at the first loss of each
// round, but a loss that ends a probe begins such a round, and the next loss of the same burst
// would overwrite the state that is to be restored.
#pragma once

#include "bulk-tcp/model/bbr3-path-model.h"
#include "bulk-tcp/model/bbr3-phase.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/// Bbr3Undo is the saved state of the last recovery.
class Bbr3Undo
{
  public:
    /// Saves the bounds at the begin of a recovery.
    void Save(const Bbr3PathModel& model);

    /// Notes that loss has ended `phase`, which is Startup or ProbeBW_UP.
    void NoteEnd(Bbr3PhaseName phase)
    {
        m_ended = phase;
    }

    /// Raises the bounds of `model` to at least the saved ones. Returns the phase that loss has
    /// ended since Save(), once.
    std::optional<Bbr3PhaseName> Restore(Bbr3PathModel& model);

    std::uint64_t ShortTermBandwidth() const
    {
        return m_shortTermBandwidth;
    } ///< BBR.undo_bw_shortterm, bit/s

    std::uint64_t ShortTermInflight() const
    {
        return m_shortTermInflight;
    } ///< BBR.undo_inflight_shortterm, bytes

    std::uint64_t LongTermInflight() const
    {
        return m_longTermInflight;
    } ///< BBR.undo_inflight_longterm, bytes

  private:
    std::optional<Bbr3PhaseName> m_ended; ///< BBR.undo_state
    std::uint64_t m_shortTermBandwidth = 0;
    std::uint64_t m_shortTermInflight = 0;
    std::uint64_t m_longTermInflight = 0;
};

} // namespace ns3
