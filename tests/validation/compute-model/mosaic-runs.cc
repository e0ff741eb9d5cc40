// SPDX-License-Identifier: GPL-2.0-only
#include "mosaic-runs.h"

#include "hardware/gpu-catalogue.h"
#include "timing/kernel-timing.h"
#include "timing/stage-timing.h"

#include <map>

namespace geotrain
{

namespace
{

constexpr std::uint32_t gpusOfNode = 8;

TransformerSpec
MptModel(const std::string& name, std::uint32_t sequence)
{
    struct MptShape
    {
        std::uint32_t layers;
        std::uint32_t hidden;
        std::uint32_t heads;
    };

    static const std::map<std::string, MptShape> shapes = {
        {"125m", {12, 768, 12}},
        {"350m", {24, 1024, 16}},
        {"760m", {24, 1536, 12}},
        {"1b", {24, 2048, 16}},
        {"3b", {32, 2560, 20}},
        {"7b", {32, 4096, 32}},
        {"13b", {40, 5120, 40}},
        {"30b", {48, 7168, 56}},
    };
    const MptShape& shape = shapes.at(name);
    auto model = MakeGpt(name, shape.layers, shape.hidden, shape.heads, 50368, sequence, true);
    model.qkvBias = false;
    model.outputBias = false;
    model.linearBias = false;
    return model;
}

/// Returns tokens per second and GPU: the microbatches of a step, the ring that adds up gradients
/// and spreads weights over NVLink, and the optimiser step, whose state the GPUs share.
double
TokensPerSecond(const CsvRow& row, const GpuSpec& gpu, Attention attention)
{
    const auto model = MosaicModel(row);
    const auto execution = MosaicExecution(row, attention);
    const StageShare whole{model.layers, true, true};
    const auto timing = TimeStage(model, whole, gpu, execution);
    const auto parameters = static_cast<double>(StageParameters(model, whole));
    const double microbatch = (timing.forward + timing.recompute + timing.Backward()).ToSeconds();
    const double closing = KernelTiming(gpu).AllReduce(bytesPerElement * parameters, gpusOfNode) +
                           OptimizerStepTime(parameters / gpusOfNode, gpu).ToSeconds();
    const double microbatches = Number(row, "grad_accumulation");
    return microbatches * execution.microbatchSize * model.sequence /
           (microbatches * microbatch + closing);
}

} // namespace

std::vector<CsvRow>
MosaicRows(const std::string& chip)
{
    std::vector<CsvRow> rows;
    for (const auto& row : ReadReference("training/mosaic_8gpu_half.csv"))
    {
        if (row.at("gpu").rfind(chip, 0) == 0)
        {
            rows.push_back(row);
        }
    }
    return rows;
}

GpuSpec
MosaicGpu(const CsvRow& row)
{
    static const std::map<std::string, std::string> names = {
        {"a100_40gb", "A100-40"}, {"a100_80gb", "A100-80"}, {"h100_80gb", "H100"}};
    return *FindGpu(names.at(row.at("gpu")));
}

TransformerSpec
MosaicModel(const CsvRow& row)
{
    return MptModel(row.at("model"), Count(row, "sequence"));
}

StageExecution
MosaicExecution(const CsvRow& row, Attention attention)
{
    StageExecution execution;
    execution.microbatchSize = Count(row, "microbatch");
    execution.recomputation =
        row.at("recomputation") == "FULL" ? Recomputation::Full : Recomputation::None;
    execution.attention = attention;
    return execution;
}

double
MosaicError(const CsvRow& row, const GpuSpec& gpu, Attention attention)
{
    return TokensPerSecond(row, gpu, attention) / Number(row, "tokens_per_s_per_gpu") - 1;
}

} // namespace geotrain
