// SPDX-License-Identifier: GPL-2.0-only
// Writes a mean and its interval for people: what lies behind the interval's first digit is chance.
#pragma once

#include <string>

namespace geotrain
{

/// A MeanText is a mean and the half width of its interval as text, without a unit.
struct MeanText
{
    std::string mean;
    std::string halfWidth; ///< empty where the half width is 0
};

/// Returns the mean to the first digit of the half width behind the point, with at most
/// `significantDigits` in all, but every digit before the point. A half width that these digits
/// don't show is an upper bound, such as "<0.1".
MeanText TextOfMean(double mean, double halfWidth, int significantDigits);

} // namespace geotrain
