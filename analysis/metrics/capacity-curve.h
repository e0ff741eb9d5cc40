// SPDX-License-Identifier: GPL-2.0-only
// Holds a capacity over time, as a trace's header tells it (CapacityStep). What is carried is a share of
// its integral.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// CapacityCurve is the capacity of a WAN, a link or a path.
class CapacityCurve
{
  public:
    using Steps = google::protobuf::RepeatedPtrField<trace::CapacityStep>;

    CapacityCurve() = default; ///< unknown: 0

    /// Without steps, the capacity is `bps`. `periodNs` is after what time the steps begin again; 0:
    /// never.
    explicit CapacityCurve(double bps, const Steps& steps = {}, std::int64_t periodNs = 0);

    double At(double seconds) const; ///< in bit/s
    double Highest() const;          ///< in bit/s

    /// Returns the mean over a time in bit/s; where that has no length, the capacity then.
    double MeanIn(double fromSeconds, double toSeconds) const;

    /// Returns the times in between at which the capacity changes.
    std::vector<double> ChangesIn(double fromSeconds, double toSeconds) const;

  private:
    struct Step
    {
        double fromSeconds;
        double bps;
    };

    double BitsUntil(double seconds) const;

    std::vector<Step> m_steps; ///< the first one is at 0
    double m_period = 0;       ///< in seconds
};

/// Returns the usable capacity of the whole WAN.
CapacityCurve CapacityOfWan(const trace::RunHeader& header);

/// Returns what a flow's path allows it alone.
CapacityCurve CapacityOfFlow(const trace::TransferFlow& flow, const trace::RunHeader& header);

/// Returns what each directed WAN link, or pair of data centres, can carry, by name; older traces don't
/// tell.
std::map<std::string, CapacityCurve> CapacitiesOfLinks(const trace::RunHeader& header);

} // namespace geotrain
