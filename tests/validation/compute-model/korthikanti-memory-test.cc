// SPDX-License-Identifier: GPL-2.0-only
// Checks memory against figure 1 of Korthikanti et al. 2022 (arXiv 2205.05198). Its parameter and
// optimiser bytes are those of the layers alone, and its activations those of the first stage,
// which under 1F1B keeps p microbatches of its l/p layers, so l layers' worth.
#include "csv-rows.h"
#include "workload/memory-model.h"
#include "workload/transformer-spec.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

constexpr double gibibyte = 1073741824;
constexpr double dropTolerance =
    0.001; // the paper drops biases and norms, 13h of 12h^2 + 13h a layer

struct Shape
{
    TransformerSpec model;
    std::uint32_t tensorParallel;
    std::uint32_t stages;
    std::uint32_t microbatchSize;
};

Shape
ShapeOf(const CsvRow& row)
{
    const bool is22B = row.at("model") == "22B";
    return {is22B ? MakeGpt("22B", 48, 6144, 64, 51200, 2048, true)
                  : MakeGpt("1T", 128, 25600, 160, 51200, 2048, true),
            Count(row, "TP"),
            Count(row, "PP"),
            Count(row, "micro_batch")};
}

class KorthikantiMemory : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_rows = ReadReference("training/korthikanti_2022_iteration_time.csv");
        if (m_rows.empty())
        {
            GTEST_SKIP() << "no training/korthikanti_2022_iteration_time.csv below "
                         << GEOTRAIN_SHARED_DATA;
        }
    }

    static StageMemory LayersOfAStage(const Shape& shape, Recomputation recomputation)
    {
        const StageShare share{shape.model.layers / shape.stages, false, false};
        const StageExecution execution{
            shape.microbatchSize, shape.tensorParallel, recomputation, Attention::Unfused};
        return MemoryOfStage(shape.model, share, execution, shape.stages);
    }

    static void ExpectGibibytes(Bytes bytes, double expected, const std::string& what)
    {
        const double gibibytes = static_cast<double>(bytes.Count()) / gibibyte;
        EXPECT_NEAR(gibibytes, expected, dropTolerance * expected) << what;
    }

    std::vector<CsvRow> m_rows;
};

// 18 x 12 l h^2 / (t p) bytes.
TEST_F(KorthikantiMemory, ParametersAndOptimizerState)
{
    for (const auto& row : m_rows)
    {
        const StageMemory memory = LayersOfAStage(ShapeOf(row), Recomputation::None);
        ExpectGibibytes(memory.state, Number(row, "mem_paramopt_GiB_fig1"), row.at("model"));
    }
}

// l sbh (10 + 24/t + 5as/(ht)) bytes.
TEST_F(KorthikantiMemory, ActivationsWithoutRecomputation)
{
    for (const auto& row : m_rows)
    {
        const StageMemory memory = LayersOfAStage(ShapeOf(row), Recomputation::None);
        ExpectGibibytes(memory.activations, Number(row, "act_GiB_none_fig1"), row.at("model"));
    }
}

// l sbh 34/t bytes.
TEST_F(KorthikantiMemory, ActivationsWithSelectiveRecomputationAndSequenceParallelism)
{
    for (const auto& row : m_rows)
    {
        const StageMemory memory = LayersOfAStage(ShapeOf(row), Recomputation::Selective);
        ExpectGibibytes(memory.activations, Number(row, "act_GiB_seqsel_fig1"), row.at("model"));
    }
}

} // namespace
} // namespace geotrain
