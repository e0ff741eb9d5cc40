// SPDX-License-Identifier: GPL-2.0-only
// Makes the streams and the testbed of an experiment of one training, without running it.
#pragma once

#include "runner/testbed.h"
#include "runner/training-streams.h"

namespace geotrain
{

inline PlanStreams
StreamsOf(const Experiment& experiment)
{
    return MakeTrainingStreams(
        experiment.jobs.front(), experiment.run, experiment.provenance.file);
}

/// A BareTestbed is the testbed of an experiment, which must outlive it.
struct BareTestbed
{
    BareTestbed(const Experiment& experiment, const std::vector<Network::WarmUp>& pairs)
        : early(experiment.run, {}),
          testbed(experiment, pairs, early)
    {
    }

    EarlyEnd early;
    Testbed testbed;
};

} // namespace geotrain
