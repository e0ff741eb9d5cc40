// SPDX-License-Identifier: GPL-2.0-only
// Lists the constants of BBRv3 that geotrain::TcpBbr3 has as attributes (draft-ietf-ccwg-bbr-06,
// 2.5 to 2.8, 2.16 and 5.6.1).
#pragma once

#include <ns3/nstime.h>

namespace ns3
{

/// Bbr3Constants are the draft's values by default. Gains are factors without a unit.
struct Bbr3Constants
{
    double startupPacingGain = 2.77; ///< 4 ln 2
    double drainPacingGain = 0.5;
    double downPacingGain = 0.9;
    double upPacingGain = 1.25;
    double cwndGain = 2.0;
    double lossThreshold = 0.02; ///< BBR.LossThresh: share of losses that a probe accepts
    double beta = 0.7;           ///< BBR.Beta: factor on a bound after a round with loss
    double headroom = 0.15;      ///< BBR.Headroom: share of the long-term bound left to others
    Time minRttFilter = Seconds(10);           ///< BBR.MinRTTFilterLen
    Time probeRttInterval = Seconds(5);        ///< BBR.ProbeRTTInterval
    Time probeRttDuration = MilliSeconds(200); ///< BBR.ProbeRTTDuration
};

} // namespace ns3
