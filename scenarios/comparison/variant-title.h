// SPDX-License-Identifier: GPL-2.0-only
// Makes a phrase for people of the values that a variant gives to varied fields.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a phrase such as "TcpCubic, connections 5, temporal sharing" for a variant that gives
/// `values` to the fields at `paths`. A field is called by the last part of its path, unless
/// another path ends alike.
std::string TitleOfValues(const std::vector<std::string>& paths,
                          const std::vector<std::string>& values);

} // namespace geotrain
