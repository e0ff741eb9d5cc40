// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/mean-interval.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <numeric>

namespace geotrain
{

namespace
{

/// Share of a mean up to which a deviation comes of its computation in doubles.
constexpr double roundingError = 1e-12;

double
Mean(const std::vector<double>& samples)
{
    return std::accumulate(samples.begin(), samples.end(), 0.0) /
           static_cast<double>(samples.size());
}

/// Returns the sample variance of two or more samples.
double
Variance(const std::vector<double>& samples)
{
    const double mean = Mean(samples);
    double squares = 0;
    for (const double sample : samples)
    {
        squares += (sample - mean) * (sample - mean);
    }
    return squares / static_cast<double>(samples.size() - 1);
}

/// Returns t(0.975) for `degrees` of freedom.
double
Quantile(double degrees)
{
    using namespace boost::math;
    // Valgrind has no long double: what overflows in its arithmetic is no error.
    using Lenient = policies::policy<policies::overflow_error<policies::ignore_error>>;
    return quantile(students_t_distribution<double, Lenient>(degrees), 0.975);
}

/// Returns the largest difference of means that the spread explains.
double
SpreadOfMeans(const std::vector<double>& first, const std::vector<double>& second)
{
    const auto n = static_cast<double>(first.size());
    const auto m = static_cast<double>(second.size());
    const double ofFirst = Variance(first) / n;
    const double ofSecond = Variance(second) / m;
    const double sum = ofFirst + ofSecond;
    if (sum <= 0)
    {
        return 0;
    }
    // Welch-Satterthwaite
    const double degrees =
        sum * sum / (ofFirst * ofFirst / (n - 1) + ofSecond * ofSecond / (m - 1));
    return Quantile(degrees) * std::sqrt(sum);
}

/// Returns the largest difference of a single run from the mean of `several` that the spread
/// explains.
double
SpreadOfOne(const std::vector<double>& several)
{
    const auto n = static_cast<double>(several.size());
    return Quantile(n - 1) * std::sqrt(Variance(several) * (1 + 1 / n));
}

} // namespace

MeanInterval
MeanOf(const std::vector<double>& samples)
{
    MeanInterval result;
    result.mean = Mean(samples);
    if (samples.size() < 2)
    {
        return result;
    }
    const auto count = static_cast<double>(samples.size());
    const double deviation = std::sqrt(Variance(samples));
    if (deviation <= roundingError * std::abs(result.mean))
    {
        return result; // the samples are the same
    }
    result.halfWidth = Quantile(count - 1) * deviation / std::sqrt(count);
    return result;
}

std::optional<bool>
ExceedsSpread(const std::vector<double>& first, const std::vector<double>& second)
{
    if (first.size() < 2 && second.size() < 2)
    {
        return std::nullopt;
    }
    const double spread = first.size() < 2    ? SpreadOfOne(second)
                          : second.size() < 2 ? SpreadOfOne(first)
                                              : SpreadOfMeans(first, second);
    return std::abs(Mean(first) - Mean(second)) > spread;
}

} // namespace geotrain
