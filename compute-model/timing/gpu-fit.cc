// SPDX-License-Identifier: GPL-2.0-only
#include "timing/gpu-fit.h"

#include "timing/layer-timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Constants are matmul efficiency, logarithm of the half side, and memory efficiency.
using Constants = std::array<double, 3>;

constexpr Constants smallest{0.05, 3, 0.05}; // e^3 = 20 elements
constexpr Constants greatest{1, 10, 1};      // e^10 = 22,000 elements
constexpr std::array<int, 3> gridSteps{19, 14, 19};

GpuSpec
With(GpuSpec gpu, const Constants& constants)
{
    gpu.efficiency.maxMatmulEfficiency = constants[0];
    gpu.efficiency.halfMatmulSide = std::exp(constants[1]);
    gpu.efficiency.memoryEfficiency = constants[2];
    return gpu;
}

PassSeconds
Modelled(const MeasuredLayer& layer, const GpuSpec& gpu)
{
    const StageExecution execution{
        layer.row.microbatch, layer.row.tensorParallel, Recomputation::None, layer.attention};
    const LayerTiming timing(layer.model, gpu, execution);
    return layer.row.layer == "embedding" ? timing.Embedding()
           : layer.row.layer == "head"    ? timing.Head()
                                          : timing.Layer();
}

void
AddResidual(std::vector<FitResidual>& residuals,
            const ProfileRow& row,
            const char* pass,
            Duration measured,
            double modelled)
{
    if (modelled > 0)
    {
        residuals.push_back({row, pass, measured.ToSeconds(), modelled});
    }
}

std::vector<FitResidual>
ResidualsOf(const GpuSpec& gpu, const std::vector<MeasuredLayer>& layers)
{
    std::vector<FitResidual> residuals;
    for (const auto& layer : layers)
    {
        const PassSeconds modelled = Modelled(layer, gpu);
        const ProfileRow& row = layer.row;
        AddResidual(residuals, row, "forward", row.forward, modelled.forward);
        AddResidual(residuals, row, "backward_input", row.backwardInput, modelled.backwardInput);
        AddResidual(residuals, row, "backward_weight", row.backwardWeight, modelled.backwardWeight);
    }
    return residuals;
}

double
SquareLog(Duration measured, double modelled)
{
    const double log = modelled > 0 ? std::log(modelled / measured.ToSeconds()) : 0;
    return log * log;
}

double
Loss(const GpuSpec& gpu, const std::vector<MeasuredLayer>& layers)
{
    double loss = 0;
    for (const auto& layer : layers)
    {
        const PassSeconds modelled = Modelled(layer, gpu);
        loss += SquareLog(layer.row.forward, modelled.forward) +
                SquareLog(layer.row.backwardInput, modelled.backwardInput) +
                SquareLog(layer.row.backwardWeight, modelled.backwardWeight);
    }
    return loss;
}

/// Returns the best constants of a grid over their ranges.
Constants
BestOfGrid(const GpuSpec& gpu, const std::vector<MeasuredLayer>& layers, const Constants& step)
{
    Constants best = smallest;
    double least = Loss(With(gpu, best), layers);
    for (int matmul = 0; matmul <= gridSteps[0]; ++matmul)
    {
        for (int side = 0; side <= gridSteps[1]; ++side)
        {
            for (int memory = 0; memory <= gridSteps[2]; ++memory)
            {
                const Constants tried{smallest[0] + matmul * step[0],
                                      smallest[1] + side * step[1],
                                      smallest[2] + memory * step[2]};
                const double loss = Loss(With(gpu, tried), layers);
                if (loss < least)
                {
                    least = loss;
                    best = tried;
                }
            }
        }
    }
    return best;
}

/// Walks from `best` in steps that halve when none of them is better.
Constants
Refined(const GpuSpec& gpu,
        const std::vector<MeasuredLayer>& layers,
        Constants best,
        Constants step)
{
    constexpr int halvings = 12;
    double least = Loss(With(gpu, best), layers);
    for (int halving = 0; halving < halvings;)
    {
        bool isBetter = false;
        for (std::size_t index = 0; index < best.size(); ++index)
        {
            for (const double sign : {-1.0, 1.0})
            {
                Constants tried = best;
                tried[index] =
                    std::clamp(tried[index] + sign * step[index], smallest[index], greatest[index]);
                const double loss = Loss(With(gpu, tried), layers);
                if (loss < least)
                {
                    least = loss;
                    best = tried;
                    isBetter = true;
                }
            }
        }
        if (!isBetter)
        {
            ++halving;
            std::for_each(step.begin(), step.end(), [](double& width) { width /= 2; });
        }
    }
    return best;
}

/// Returns a constant's relative standard error: where the constant is a tenth less and the others
/// are fitted again, the sum of squares rises by (0.1 / error)^2 variances of a pass.
double
RelativeError(const GpuSpec& gpu,
              const std::vector<MeasuredLayer>& layers,
              const Constants& best,
              Constants step,
              std::size_t index)
{
    constexpr double shift = 0.1;
    constexpr double leastDeviation = 0.02; // of a measured pass from any model
    Constants moved = best;
    moved[index] = index == 1 ? best[index] - shift : best[index] * (1 - shift); // 1: a logarithm
    step[index] = 0;
    const double least = Loss(With(gpu, best), layers);
    const double rise = Loss(With(gpu, Refined(gpu, layers, moved, step)), layers) - least;
    const double degrees =
        std::max(1.0, static_cast<double>(ResidualsOf(gpu, layers).size()) - 3.0);
    const double variance = std::max(least / degrees, leastDeviation * leastDeviation);
    return rise > 0 ? shift * std::sqrt(variance / rise) : std::numeric_limits<double>::infinity();
}

} // namespace

GpuFit
FitGpu(const GpuSpec& gpu, const std::vector<MeasuredLayer>& layers)
{
    if (layers.empty())
    {
        throw std::invalid_argument("there must be at least one measured layer");
    }
    Constants step;
    for (std::size_t index = 0; index < step.size(); ++index)
    {
        step[index] = (greatest[index] - smallest[index]) / gridSteps[index];
    }
    const Constants best = Refined(gpu, layers, BestOfGrid(gpu, layers, step), step);
    const GpuSpec fitted = With(gpu, best);
    GpuFit fit;
    fit.errors = {RelativeError(gpu, layers, best, step, 0),
                  RelativeError(gpu, layers, best, step, 1),
                  RelativeError(gpu, layers, best, step, 2)};
    fit.efficiency = fitted.efficiency;
    fit.efficiency.fitted = true;
    fit.efficiency.basis = "fitted to a profile";
    fit.residuals = ResidualsOf(fitted, layers);
    for (const auto& residual : fit.residuals)
    {
        const double error = std::abs(residual.Error());
        fit.meanError += error / static_cast<double>(fit.residuals.size());
        fit.largestError = std::max(fit.largestError, error);
    }
    return fit;
}

} // namespace geotrain
