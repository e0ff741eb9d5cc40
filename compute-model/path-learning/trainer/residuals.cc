// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/residuals.h"

#include "path-learning/path-file.h"
#include "path-learning/window-lstm.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr std::size_t quantileCount = 65;
constexpr std::size_t fewestWindows = 20;  // that quantiles are taken of; an estimate
constexpr std::size_t mostForShift = 5000; // residuals; more change the shift by next to nothing
constexpr int bisections = 30;
constexpr double mostUnits = 1e9; // of recorded cross traffic: what a file holds

/// A Residual is what a window, or a slot of one, was beyond what the network said of it.
struct Residual
{
    double said;
    double beyond;
    double weight; ///< 0: it is unknown

    bool operator<(const Residual& other) const
    {
        return beyond < other.beyond;
    }
};

/// Returns the residuals of delays by window.
std::vector<Residual>
OfDelays(const TrainingRecord& record, const std::vector<double>& said)
{
    std::vector<Residual> residuals;
    for (std::size_t i = 0; i < said.size(); ++i)
    {
        const WindowTruth& truth = record.delays[i];
        residuals.push_back({said[i], truth.share - said[i], truth.weight});
    }
    return residuals;
}

/// Returns the residuals of cross traffic by slot.
std::vector<Residual>
OfCrossTraffic(const WindowNetwork& network,
               const TrainingRecord& record,
               const PathParameters& path,
               const std::vector<double>& said)
{
    const std::vector<std::optional<double>> shares = record.RecordedShares(path, network.slots);
    std::vector<Residual> residuals;
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        const std::size_t window = i / network.slots;
        const WindowTruth& truth = record.crossTraffic[window];
        const double expected = said[window];
        // Where all was lost, at least the rate came.
        const bool isBlocked = truth.isLeast && truth.share >= 1 && truth.weight == 1;
        const double share = shares[i].value_or(isBlocked ? 1 : 0);
        residuals.push_back({expected, share - expected, shares[i] || isBlocked ? 1.0 : 0.0});
    }
    return residuals;
}

/// Returns a share as a file holds it.
double
InUnits(double share)
{
    return recordedShareUnit * std::clamp(std::round(share / recordedShareUnit), 0.0, mostUnits);
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

/// Returns every so manieth of many residuals.
std::vector<Residual>
Some(const std::vector<Residual>& residuals)
{
    const std::size_t step = residuals.size() / mostForShift + 1;
    std::vector<Residual> some;
    for (std::size_t i = step / 2; i < residuals.size(); i += step)
    {
        some.push_back(residuals[i]);
    }
    return some;
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

/// Returns the quantiles of what is known; none where that is little.
std::vector<double>
ShiftedQuantiles(std::vector<Residual> residuals)
{
    residuals.erase(std::remove_if(residuals.begin(),
                                   residuals.end(),
                                   [](const Residual& one) { return one.weight == 0; }),
                    residuals.end());
    if (residuals.size() < fewestWindows)
    {
        return {};
    }
    std::stable_sort(residuals.begin(), residuals.end());
    std::vector<double> quantiles = QuantilesOf(residuals);
    const double shift = ShiftOf(Some(residuals), quantiles);
    for (double& quantile : quantiles)
    {
        quantile += shift;
    }
    return quantiles;
}

} // namespace

std::vector<double>
SaidOf(const WindowNetwork& network, const TrainingRecord& record)
{
    WindowLstm lstm(std::make_shared<const WindowNetwork>(network));
    std::vector<double> said;
    for (const WindowFeatures::Values& inputs : record.inputs)
    {
        said.push_back(Softplus(lstm.Step(inputs)[0]));
    }
    return said;
}

void
FillResiduals(WindowNetwork& network,
              const std::vector<TrainingRecord>& records,
              const std::vector<PathParameters>& paths)
{
    const bool isCross = network.output == WindowNetwork::Output::CrossTraffic;
    const bool isReacting =
        std::any_of(network.outputWeights.begin(),
                    network.outputWeights.begin() + static_cast<std::ptrdiff_t>(network.hidden),
                    [](double weight) { return weight != 0; });
    std::vector<Residual> all;
    for (std::size_t i = 0; i < records.size(); ++i)
    {
        const std::vector<double> said = SaidOf(network, records[i]);
        const std::vector<Residual> some = isCross
                                               ? OfCrossTraffic(network, records[i], paths[i], said)
                                               : OfDelays(records[i], said);
        all.insert(all.end(), some.begin(), some.end());
        for (std::size_t at = 0; at < said.size() && isCross && isReacting; ++at)
        {
            network.recordedSaid.push_back(InUnits(said[at]));
        }
    }
    network.residuals = ShiftedQuantiles(all);
    for (std::size_t i = 0; i < all.size() && isCross; ++i)
    {
        network.recordedShares.push_back(
            all[i].weight > 0 ? std::optional(InUnits(all[i].said + all[i].beyond)) : std::nullopt);
    }
}

} // namespace geotrain
