// SPDX-License-Identifier: GPL-2.0-only
#include "learned-path/trainer/residuals.h"

#include "wan-topology/model/window-lstm.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr std::size_t quantileCount = 65;
constexpr std::size_t fewestWindows = 20; // that quantiles are taken of; an estimate
constexpr int bisections = 30;

/// Returns the mean of max(0, said + quantile + shift) over all pairs.
double
DrawnMean(const std::vector<double>& said, const std::vector<double>& quantiles, double shift)
{
    double sum = 0;
    for (const double share : said)
    {
        for (const double quantile : quantiles)
        {
            sum += std::max(0.0, share + quantile + shift);
        }
    }
    return sum / static_cast<double>(said.size() * quantiles.size());
}

/// Returns the shift with which what is drawn has the mean `wanted`.
double
ShiftTo(double wanted, const std::vector<double>& said, const std::vector<double>& quantiles)
{
    double least = -1;
    double most = 1;
    for (int i = 0; i < bisections; ++i)
    {
        const double middle = (least + most) / 2;
        (DrawnMean(said, quantiles, middle) < wanted ? least : most) = middle;
    }
    return (least + most) / 2;
}

} // namespace

std::vector<double>
ResidualsOf(const WindowNetwork& network, const std::vector<TrainingRecord>& records)
{
    std::vector<double> said;
    std::vector<double> beyond;
    double sum = 0;
    for (const TrainingRecord& record : records)
    {
        ns3::WindowLstm lstm(std::make_shared<const WindowNetwork>(network));
        const bool isCross = network.output == WindowNetwork::Output::CrossTraffic;
        const std::vector<double>& truth = isCross ? record.crossShares : record.delayShares;
        for (std::size_t i = 0; i < truth.size(); ++i)
        {
            const double share = ns3::Softplus(lstm.Step(record.inputs[i])[0]);
            if (truth[i] >= 0)
            {
                said.push_back(share);
                beyond.push_back(truth[i] - share);
                sum += truth[i];
            }
        }
    }
    if (said.size() < fewestWindows)
    {
        return {};
    }
    std::sort(beyond.begin(), beyond.end());
    std::vector<double> quantiles;
    for (std::size_t i = 0; i < quantileCount; ++i)
    {
        quantiles.push_back(beyond[i * (beyond.size() - 1) / (quantileCount - 1)]);
    }
    const double shift = ShiftTo(sum / static_cast<double>(said.size()), said, quantiles);
    for (double& quantile : quantiles)
    {
        quantile += shift;
    }
    return quantiles;
}

} // namespace geotrain
