// SPDX-License-Identifier: GPL-2.0-only
// Sets ns-3's own defaults, and bulk-tcp's, from the command line.
#pragma once

#include "training-network/helper/bearer.h"

#include <set>
#include <string>
#include <vector>

namespace geotrain
{

/// `settings` are NAME=VALUE, as in "geotrain::BulkTcp::MinRto=1s", for runs over `bearers`, by
/// name. Throws ConfigError for a name that ns-3 doesn't have, for a value that it refuses, and for
/// a default that nothing of those bearers reads: it names the one that has the effect. For the
/// rest of the process.
void SetNs3Defaults(const std::vector<std::string>& settings, const std::set<std::string>& bearers);

/// What to set instead where the default `name`, such as "ns3::TcpSocketBase::MinRto", has no
/// effect over `bearer`; empty where it has one.
std::string HasNoEffect(const std::string& name, const ns3::BearerKind& bearer);

/// The same where the default is set to ns-3's own value, which the transport of `bearer` takes for
/// one that nobody has set.
std::string IsOverridden(const std::string& name, const ns3::BearerKind& bearer);

} // namespace geotrain
