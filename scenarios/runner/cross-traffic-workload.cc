// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cross-traffic-workload.h"

#include "runner/testbed.h"

namespace geotrain
{

CrossTrafficWorkload::CrossTrafficWorkload(const Experiment& experiment)
    : m_experiment(experiment)
{
}

void
CrossTrafficWorkload::Begin(Testbed& testbed)
{
    m_traffic = std::make_unique<CrossTraffic>(m_experiment.crossTraffic,
                                               m_experiment.run.seed,
                                               testbed.Packets().GetBearer(),
                                               testbed.GetClock());
    m_traffic->Begin();
}

bool
CrossTrafficWorkload::IsDone() const
{
    return true;
}

} // namespace geotrain
