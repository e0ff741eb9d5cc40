// SPDX-License-Identifier: GPL-2.0-only
#include "timing/attention-rates.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Interpolates between the shares of heads of 64, 128 and 256.
double
ShareOfHeads(double width, double of64, double of128, double of256)
{
    if (width < 64)
    {
        return of64 * width / 64;
    }
    const double narrow = width < 128 ? of64 : of128;
    const double wide = width < 128 ? of128 : of256;
    const double from = width < 128 ? 64 : 128;
    return narrow + (wide - narrow) * std::min((width - from) / from, 1.0);
}

} // namespace

AttentionRates
FusedAttentionRates(const GpuEfficiency& efficiency,
                    Attention attention,
                    double headWidth,
                    double sequence)
{
    if (attention != Attention::FusedCausal)
    {
        return {efficiency.fusedAttentionEfficiency, efficiency.fusedAttentionEfficiency};
    }
    const AttentionShares& shares = efficiency.attentionShares;
    const double longest =
        efficiency.causalAttentionEfficiency * sequence / (sequence + shares.halfSequence);
    return {longest * ShareOfHeads(headWidth, shares.forward64, 1, shares.forward256),
            longest *
                ShareOfHeads(headWidth, shares.backward64, shares.backward128, shares.backward256)};
}

} // namespace geotrain
