// SPDX-License-Identifier: GPL-2.0-only
// What an import is told beside its file.
#pragma once

#include "topology-import/geo-position.h"
#include "units/bytes.h"

#include <map>
#include <string>

namespace geotrain
{

/// ImportOptions say what the file leaves open.
struct ImportOptions
{
    BitRate defaultRate; ///< rate of links for which the file has none; positive

    /// Positions of nodes by id, by the imported site's name, or by a label that one node alone
    /// has; they are looked up in this order. They take precedence over the coordinates in the
    /// file. An entry that names no node is refused.
    std::map<std::string, GeoPosition> coordinates;

    std::string rates; ///< path of a matrix of rates, beside one of delays or alone; empty: none
};

} // namespace geotrain
