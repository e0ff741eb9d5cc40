// Sets ns-3's own defaults from the command line.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// `settings` are NAME=VALUE, as in "ns3::TcpSocketBase::MinRto=1s". Throws ConfigError for a name that ns-3
/// doesn't have and for a value that it refuses. For the rest of the process.
void SetNs3Defaults(const std::vector<std::string>& settings);

} // namespace geotrain
