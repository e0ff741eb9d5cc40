// SPDX-License-Identifier: GPL-2.0-only
// Checks what a link may do to packets besides sending them, for scenarios and the command line.
#pragma once

#include "wan/link-impairments.h"

#include <string>

namespace geotrain
{

/// Throws ConfigError that names `file`, the field after `prefix` ("wan_link[0].", "--"), its value
/// and the rule.
void ValidateImpairments(const LinkImpairments& link,
                         Bytes mtu,
                         const std::string& file,
                         const std::string& prefix);

} // namespace geotrain
