// SPDX-License-Identifier: GPL-2.0-only
#include "workload/memory-model.h"

#include <cmath>
#include <stdexcept>

namespace geotrain
{

namespace
{

Bytes
Count(double bytes)
{
    constexpr double countable = 9e18; // int64
    if (!(bytes >= 0 && bytes < countable))
    {
        throw std::invalid_argument("the memory needed is beyond what can be counted");
    }
    return Bytes::Of(std::llround(bytes));
}

double
BoundaryElements(const TransformerSpec& model, std::uint32_t microbatchSize)
{
    return static_cast<double>(model.sequence) * microbatchSize * model.hidden;
}

double
LayerActivations(const TransformerSpec& model, const StageExecution& execution)
{
    const double group = execution.tensorParallel;
    const double sbh = BoundaryElements(model, execution.microbatchSize);
    const double scoresPerElement =
        IsFused(execution.attention)
            ? 0
            : static_cast<double>(model.heads) * model.sequence / (model.hidden * group);
    const double e = ActivationBytes(model.precision);
    switch (execution.recomputation)
    {
    case Recomputation::None:
        return sbh * (4 * e + 2 + 12 * e / group + (2 * e + 1) * scoresPerElement);
    case Recomputation::Selective:
        return sbh * (16 * e + 2) / group;
    case Recomputation::Full:
        return e * sbh;
    }
    throw std::invalid_argument("unknown kind of recomputation");
}

/// Returns what the head needs while it works on one microbatch: the inputs of the final norm and
/// of the output product, and the logits in fp32 (Korthikanti et al., section 4.3: 4sbh/t (1 +
/// V/h), there with sequence parallelism).
double
HeadActivations(const TransformerSpec& model, const StageExecution& execution)
{
    const double group = execution.tensorParallel;
    const double sbh = BoundaryElements(model, execution.microbatchSize);
    const double inputs =
        2.0 * ActivationBytes(model.precision) * sbh / (IsSequenceParallel(execution) ? group : 1);
    return inputs + 4 * sbh / model.hidden * model.vocabulary / group;
}

} // namespace

Bytes
LayerActivationBytes(const TransformerSpec& model, const StageExecution& execution)
{
    return Count(LayerActivations(model, execution));
}

StageMemory
MemoryOfStage(const TransformerSpec& model,
              const StageShare& share,
              const StageExecution& execution,
              std::uint32_t microbatchesInFlight,
              std::uint32_t optimizerShards)
{
    if (execution.microbatchSize == 0 || execution.tensorParallel == 0 || optimizerShards == 0)
    {
        throw std::invalid_argument(
            "microbatchSize, tensorParallel and optimizerShards must be at least 1");
    }
    const double group = execution.tensorParallel;
    const double sbh = BoundaryElements(model, execution.microbatchSize);

    double kept = share.layers * LayerActivations(model, execution);
    if (share.hasEmbedding)
    {
        kept += IsSequenceParallel(execution) ? sbh / group : sbh; // dropout's mask
    }
    double working = 0;
    if (share.hasHead)
    {
        working += HeadActivations(model, execution);
    }
    if (execution.recomputation == Recomputation::Full && share.layers > 0)
    {
        StageExecution whole = execution;
        whole.recomputation = Recomputation::None;
        working += LayerActivations(model, whole);
    }
    kept *= microbatchesInFlight;
    const double sharded = static_cast<double>(OptimizerStateBytesPerParameter(model.precision));
    const double bytesPerParameter = static_cast<double>(StateBytesPerParameter(model.precision)) -
                                     sharded + sharded / optimizerShards;
    const double state =
        static_cast<double>(StageParameters(model, share)) * bytesPerParameter / group;
    Count(state + kept + working); // their sum is as countable as they are
    return {Count(state), Count(kept), Count(working)};
}

} // namespace geotrain
