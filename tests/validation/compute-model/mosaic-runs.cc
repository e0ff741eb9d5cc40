// SPDX-License-Identifier: GPL-2.0-only
#include "mosaic-runs.h"

#include "hardware/gpu-catalogue.h"

#include <map>

namespace geotrain
{

namespace
{

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

} // namespace geotrain
