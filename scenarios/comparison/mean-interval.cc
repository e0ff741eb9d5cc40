// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/mean-interval.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <numeric>

namespace geotrain
{

MeanInterval
MeanOf(const std::vector<double>& samples)
{
    const auto count = static_cast<double>(samples.size());
    MeanInterval result;
    result.mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
    if (samples.size() < 2)
    {
        return result;
    }
    double squares = 0;
    for (const double sample : samples)
    {
        squares += (sample - result.mean) * (sample - result.mean);
    }
    const double deviation = std::sqrt(squares / (count - 1));
    const boost::math::students_t_distribution<double> student(count - 1);
    result.halfWidth = boost::math::quantile(student, 0.975) * deviation / std::sqrt(count);
    return result;
}

} // namespace geotrain
