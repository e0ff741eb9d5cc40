// SPDX-License-Identifier: GPL-2.0-only
#include "workload/weight-matrices.h"

#include <cmath>

namespace geotrain
{

std::vector<WeightMatrix>
AttentionMatrices(const TransformerSpec& shape, std::uint32_t group)
{
    const double hidden = shape.hidden;
    const double heads = std::ceil(static_cast<double>(shape.heads) / group);
    const double kvHeads = std::ceil(static_cast<double>(shape.kvHeads) / group);
    const double queries = heads * shape.headWidth;
    const double values = shape.ValueWidth();
    const WeightMatrix output{heads * values, hidden};
    const LatentAttention& latent = shape.latent;
    if (latent.kvRank == 0)
    {
        const double gate = shape.gatedAttention ? heads * values : 0;
        return {{hidden, queries + kvHeads * (shape.headWidth + values) + gate}, output};
    }
    const double kvRank = latent.kvRank;
    const double rotary = latent.rotaryWidth;
    std::vector<WeightMatrix> matrices{{hidden, kvRank + rotary},
                                       {kvRank, heads * (shape.headWidth - rotary + values)}};
    if (latent.queryRank == 0)
    {
        matrices.push_back({hidden, queries});
    }
    else
    {
        matrices.push_back({hidden, static_cast<double>(latent.queryRank)});
        matrices.push_back({static_cast<double>(latent.queryRank), queries});
    }
    matrices.push_back(output);
    return matrices;
}

std::vector<WeightMatrix>
MlpMatrices(const TransformerSpec& shape, std::uint32_t width, std::uint32_t group)
{
    const double own = std::ceil(static_cast<double>(width) / group);
    const double hidden = shape.hidden;
    return {{hidden, shape.gated ? 2 * own : own}, {own, hidden}};
}

double
Elements(const std::vector<WeightMatrix>& matrices)
{
    double elements = 0;
    for (const WeightMatrix& matrix : matrices)
    {
        elements += matrix.in * matrix.out;
    }
    return elements;
}

} // namespace geotrain
