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

/// A Residual is what a window was beyond what the network said of it.
struct Residual
{
    double said;
    double beyond;
    double weight;

    bool operator<(const Residual& other) const
    {
        return beyond < other.beyond;
    }
};

std::vector<Residual>
AllResiduals(const WindowNetwork& network, const std::vector<TrainingRecord>& records)
{
    std::vector<Residual> residuals;
    const auto shared = std::make_shared<const WindowNetwork>(network);
    for (const TrainingRecord& record : records)
    {
        ns3::WindowLstm lstm(shared);
        const bool isCross = network.output == WindowNetwork::Output::CrossTraffic;
        const std::vector<WindowTruth>& truth = isCross ? record.crossTraffic : record.delays;
        for (std::size_t i = 0; i < truth.size(); ++i)
        {
            const double said = ns3::Softplus(lstm.Step(record.inputs[i])[0]);
            const double beyond = truth[i].share - said;
            if (truth[i].weight > 0)
            {
                residuals.push_back(
                    {said, truth[i].isLeast ? std::max(0.0, beyond) : beyond, truth[i].weight});
            }
        }
    }
    std::stable_sort(residuals.begin(), residuals.end());
    return residuals;
}

double
TotalWeight(const std::vector<Residual>& residuals)
{
    double sum = 0;
    for (const Residual& residual : residuals)
    {
        sum += residual.weight;
    }
    return sum;
}

/// Returns quantiles at equal distances of residuals that ascend.
std::vector<double>
QuantilesOf(const std::vector<Residual>& residuals)
{
    const double total = TotalWeight(residuals);
    std::vector<double> quantiles;
    double sum = 0;
    for (const Residual& residual : residuals)
    {
        sum += residual.weight;
        while (quantiles.size() < quantileCount &&
               sum * static_cast<double>(quantileCount - 1) >=
                   total * static_cast<double>(quantiles.size()))
        {
            quantiles.push_back(residual.beyond);
        }
    }
    quantiles.resize(quantileCount, residuals.back().beyond);
    return quantiles;
}

/// Returns the weighted mean of max(0, said + quantile + shift) over all pairs.
double
DrawnMean(const std::vector<Residual>& residuals,
          const std::vector<double>& quantiles,
          double shift)
{
    double sum = 0;
    for (const Residual& residual : residuals)
    {
        for (const double quantile : quantiles)
        {
            sum += residual.weight * std::max(0.0, residual.said + quantile + shift);
        }
    }
    return sum / static_cast<double>(quantiles.size()) / TotalWeight(residuals);
}

/// Returns the shift with which what is drawn has the records' mean.
double
ShiftOf(const std::vector<Residual>& residuals, const std::vector<double>& quantiles)
{
    double wanted = 0;
    for (const Residual& residual : residuals)
    {
        wanted += residual.weight * (residual.said + residual.beyond);
    }
    wanted /= TotalWeight(residuals);
    double least = -1;
    double most = 1;
    for (int i = 0; i < bisections; ++i)
    {
        const double middle = (least + most) / 2;
        (DrawnMean(residuals, quantiles, middle) < wanted ? least : most) = middle;
    }
    return (least + most) / 2;
}

} // namespace

std::vector<double>
ResidualsOf(const WindowNetwork& network, const std::vector<TrainingRecord>& records)
{
    const std::vector<Residual> residuals = AllResiduals(network, records);
    if (residuals.size() < fewestWindows)
    {
        return {};
    }
    std::vector<double> quantiles = QuantilesOf(residuals);
    const double shift = ShiftOf(residuals, quantiles);
    for (double& quantile : quantiles)
    {
        quantile += shift;
    }
    return quantiles;
}

} // namespace geotrain
