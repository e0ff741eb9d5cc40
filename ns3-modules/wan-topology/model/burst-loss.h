// SPDX-License-Identifier: GPL-2.0-only
// Models losses in bursts by a chain of two states (Gilbert, BSTJ 1960; Elliott, BSTJ 1963). The
// mean loss is loss x enter / (enter + leave). With loss 1 the mean burst has 1/leave packets.
#pragma once

#include "wan/link-impairments.h"

#include "units/random-stream.h"

namespace ns3
{

/// BurstLoss decides packet by packet what is lost.
class BurstLoss
{
  public:
    /// The chain begins outside a burst.
    BurstLoss(const geotrain::BurstLossSettings& settings, const geotrain::RandomStream& random)
        : m_settings(settings),
          m_random(random)
    {
    }

    /// Returns whether the next packet is lost. It takes one draw for the state, and one more in a
    /// burst.
    bool Loses()
    {
        const double move = m_random.Uniform();
        m_inBurst = m_inBurst ? move >= m_settings.leave : move < m_settings.enter;
        return m_inBurst && m_random.Uniform() < m_settings.loss;
    }

  private:
    geotrain::BurstLossSettings m_settings;
    geotrain::RandomStream m_random;
    bool m_inBurst = false;
};

} // namespace ns3
