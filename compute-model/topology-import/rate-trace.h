// SPDX-License-Identifier: GPL-2.0-only
// Reads a link's rate over time from a file of one of two kinds.
//
// A packet-delivery file of Mahimahi (Netravali et al., ATC 2015) has a line per opportunity to send
// a packet of 1500 bytes: the time of it in whole milliseconds, not before that of the line before.
// After its last time the file begins again. The rate is the mean over windows of 100 ms, the last of
// which ends with the file.
//
// A CSV file begins with the line `t_s,rate`, and has rates with their unit ("12Mbps"); or with
// `t_s,rate_bps`, `_kbps`, `_mbps` or `_gbps`, and has numbers. A rate holds until the next row, and
// times count from the first one. After the last row the file begins again: a row without a rate ends
// it, and otherwise the last rate holds as long as the one before it. A single rate is constant.
#pragma once

#include "wan/link-impairments.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Parses the text of such a file. Throws ConfigError that names `file`, the line and the rule. Some
/// rate is above 0, and there are at most 100,000 rates.
RateSchedule ParseRateTrace(const std::string& text, const std::string& file);

/// Returns the CSV file of a schedule that ParseRateTrace() has returned, line by line.
std::vector<std::string> RateTraceLines(const RateSchedule& schedule);

} // namespace geotrain
