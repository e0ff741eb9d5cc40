// SPDX-License-Identifier: GPL-2.0-only
// Whole numbers of random cases.
#pragma once

#include "units/random-stream.h"

namespace geotrain
{

/// Uniform in [low, high].
template <typename Integer>
Integer
Draw(RandomStream& random, Integer low, Integer high)
{
    return low + static_cast<Integer>(random.Uniform() * (high - low + 1));
}

} // namespace geotrain
