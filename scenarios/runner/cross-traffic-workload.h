// SPDX-License-Identifier: GPL-2.0-only
// Lets other people's traffic arrive while the workloads of a run go on. The analytic network has
// none.
#pragma once

#include "loader/experiment.h"
#include "runner/cross-traffic.h"
#include "runner/workload.h"

#include <memory>

namespace geotrain
{

/// CrossTrafficWorkload is the cross traffic of one run.
class CrossTrafficWorkload : public Workload
{
  public:
    /// `experiment` must outlive this.
    explicit CrossTrafficWorkload(const Experiment& experiment);

    void Begin(Testbed& testbed) override;
    bool IsDone() const override;

  private:
    const Experiment& m_experiment;
    std::unique_ptr<CrossTraffic> m_traffic;
};

} // namespace geotrain
