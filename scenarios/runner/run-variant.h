// SPDX-License-Identifier: GPL-2.0-only
// Names the variant of a comparison that a run is of.
#pragma once

#include <string>

namespace geotrain
{

/// A RunVariant is what a run of a comparison is called. Both are empty for a run by itself.
struct RunVariant
{
    std::string name;
    std::string title; ///< phrase for people; where empty, the name
};

} // namespace geotrain
