// SPDX-License-Identifier: GPL-2.0-only
#include "timing/gpu-fit.h"

#include "timing/layer-timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

namespace geotrain
{

namespace
{

/// Constants are matmul efficiency, logarithm of the half side, memory efficiency, and the efficiency of
/// fused attention, of all scores and of those that are not masked.
using Constants = std::array<double, 4>;

enum Constant : std::size_t
{
    Matmul,
    HalfSide,
    Memory,
    FusedAttention
};

constexpr Constants smallest{0.05, 3, 0.05, 0.02}; // e^3 = 20 elements
constexpr Constants greatest{1, 10, 1, 1};         // e^10 = 22,000 elements
constexpr std::array<int, 4> gridSteps{19, 14, 19, 10};

/// A WeighedLayer stands for `weight` layers that were measured alike.
struct WeighedLayer
{
    const MeasuredLayer* layer;
    double weight;
};

using WeighedLayers = std::vector<WeighedLayer>;

/// Returns the layers without repetitions: a profile has a row for each layer of a model, and most
/// models' layers are alike.
WeighedLayers
WithoutRepetitions(const std::vector<MeasuredLayer>& layers)
{
    using Times = std::tuple<Duration, Duration, Duration>;
    using Key = std::tuple<std::string,
                           std::string,
                           std::uint32_t,
                           Precision,
                           std::uint32_t,
                           std::uint32_t,
                           Attention,
                           Times>;
    WeighedLayers weighed;
    std::map<Key, std::size_t> places;
    for (const MeasuredLayer& layer : layers)
    {
        const ProfileRow& row = layer.row;
        const Key key{layer.model.name,
                      row.IsOfLayer() ? "" : row.layer,
                      layer.model.sequence,
                      layer.model.precision,
                      row.microbatch,
                      row.tensorParallel,
                      layer.attention,
                      {row.forward, row.backwardInput, row.backwardWeight}};
        const auto [place, isNew] = places.emplace(key, weighed.size());
        if (isNew)
        {
            weighed.push_back({&layer, 0});
        }
        weighed[place->second].weight += 1;
    }
    return weighed;
}

GpuSpec
With(GpuSpec gpu, const Constants& constants)
{
    gpu.efficiency.maxMatmulEfficiency = constants[Matmul];
    gpu.efficiency.halfMatmulSide = std::exp(constants[HalfSide]);
    gpu.efficiency.memoryEfficiency = constants[Memory];
    gpu.efficiency.fusedAttentionEfficiency = constants[FusedAttention];
    gpu.efficiency.causalAttentionEfficiency = constants[FusedAttention];
    return gpu;
}

PassSeconds
Modelled(const MeasuredLayer& layer, const GpuSpec& gpu)
{
    const StageExecution execution{
        layer.row.microbatch, layer.row.tensorParallel, Recomputation::None, layer.attention};
    const std::uint32_t index =
        layer.row.IsOfLayer()
            ? static_cast<std::uint32_t>(std::strtoul(layer.row.layer.c_str(), nullptr, 10))
            : 0;
    const std::uint32_t known = std::min(index, layer.model.layers - 1);
    const LayerTiming timing(LikeLayersOf(layer.model, known, 1).front().shape, gpu, execution);
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
Loss(const GpuSpec& gpu, const WeighedLayers& layers)
{
    double loss = 0;
    for (const auto& [layer, weight] : layers)
    {
        const PassSeconds modelled = Modelled(*layer, gpu);
        loss += weight * (SquareLog(layer->row.forward, modelled.forward) +
                          SquareLog(layer->row.backwardInput, modelled.backwardInput) +
                          SquareLog(layer->row.backwardWeight, modelled.backwardWeight));
    }
    return loss;
}

/// A Fit is the layers that were measured on a GPU.
struct Fit
{
    const GpuSpec& gpu;
    WeighedLayers layers;
    double attention; ///< the GPU's own rate of what was measured

    double LossWith(const Constants& constants) const
    {
        return Loss(With(gpu, constants), layers);
    }
};

/// Returns the best constants of a grid over their ranges, with attention's rate as it is.
Constants
FindBestOfGrid(const Fit& fit, const Constants& step)
{
    Constants best = smallest;
    best[FusedAttention] = fit.attention;
    double least = fit.LossWith(best);
    for (int matmul = 0; matmul <= gridSteps[Matmul]; ++matmul)
    {
        for (int side = 0; side <= gridSteps[HalfSide]; ++side)
        {
            for (int memory = 0; memory <= gridSteps[Memory]; ++memory)
            {
                const Constants tried{smallest[Matmul] + matmul * step[Matmul],
                                      smallest[HalfSide] + side * step[HalfSide],
                                      smallest[Memory] + memory * step[Memory],
                                      best[FusedAttention]};
                const double loss = fit.LossWith(tried);
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
Refine(const Fit& fit, Constants best, Constants step)
{
    constexpr int halvings = 12;
    double least = fit.LossWith(best);
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
                const double loss = fit.LossWith(tried);
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
EstimateError(
    const Fit& fit, const Constants& best, Constants step, Constant index, std::size_t passes)
{
    if (step[index] == 0)
    {
        return 0; // it wasn't fitted
    }
    constexpr double shift = 0.1;
    constexpr double leastDeviation = 0.02; // of a measured pass from any model
    Constants moved = best;
    moved[index] = index == HalfSide ? best[index] - shift : best[index] * (1 - shift);
    step[index] = 0;
    const double least = fit.LossWith(best);
    const double rise = fit.LossWith(Refine(fit, moved, step)) - least;
    const double degrees =
        std::max(1.0, static_cast<double>(passes) - static_cast<double>(best.size()));
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
    const bool isCausal = layers.front().attention == Attention::FusedCausal;
    const Fit toFit{gpu,
                    WithoutRepetitions(layers),
                    isCausal ? gpu.efficiency.causalAttentionEfficiency
                             : gpu.efficiency.fusedAttentionEfficiency};
    Constants step;
    for (std::size_t index = 0; index < step.size(); ++index)
    {
        step[index] = (greatest[index] - smallest[index]) / gridSteps[index];
    }
    const bool isFused = std::any_of(layers.begin(),
                                     layers.end(),
                                     [](const MeasuredLayer& layer)
                                     { return IsFused(layer.attention) && layer.row.IsOfLayer(); });
    step[FusedAttention] *= isFused ? 1 : 0;
    const Constants best = Refine(toFit, FindBestOfGrid(toFit, step), step);
    GpuSpec fitted = With(gpu, best);
    fitted.efficiency.causalAttentionEfficiency =
        isFused ? best[FusedAttention] : gpu.efficiency.causalAttentionEfficiency;
    GpuFit fit;
    fit.residuals = ResidualsOf(fitted, layers);
    const auto errorOf = [&](Constant constant)
    { return EstimateError(toFit, best, step, constant, fit.residuals.size()); };
    fit.errors = {errorOf(Matmul), errorOf(HalfSide), errorOf(Memory), errorOf(FusedAttention)};
    fit.efficiency = fitted.efficiency;
    fit.efficiency.source = ConstantSource::Kernels;
    fit.efficiency.basis = "fitted to a profile";
    for (const auto& residual : fit.residuals)
    {
        const double error = std::abs(residual.Error());
        fit.meanError += error / static_cast<double>(fit.residuals.size());
        fit.largestError = std::max(fit.largestError, error);
    }
    return fit;
}

} // namespace geotrain
