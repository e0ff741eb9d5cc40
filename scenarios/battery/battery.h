// SPDX-License-Identifier: GPL-2.0-only
// Lists the battery for congestion controls: one scenario of the library per heading under which the
// field compares them (RFC 5166, RFC 9743 and draft-irtf-iccrg-tcpeval).
#pragma once

#include "loader/scenario-text.h"

#include <string>
#include <vector>

namespace geotrain
{

/// A BatteryHeading is one heading of the battery.
struct BatteryHeading
{
    std::string name;  ///< also of its folder
    std::string title; ///< phrase for people
    ScenarioText text; ///< of its scenario
};

/// Returns the headings in the order of the report: scenarios battery-NAME of the library. Throws
/// ConfigError where the library lacks one.
std::vector<BatteryHeading> BatteryHeadings();

} // namespace geotrain
