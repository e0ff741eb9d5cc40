// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/window-predictor.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

WindowPredictor::WindowPredictor(const geotrain::PathParameters& path, geotrain::RandomStream draws)
    : m_network(path.network),
      m_features(path, path.network->window),
      m_lstm(path.network),
      m_draws(draws)
{
}

void
WindowPredictor::Add(std::int64_t sent, double bytes, std::optional<double> stay)
{
    m_features.Add(sent, bytes, stay);
}

WindowPrediction
WindowPredictor::Next()
{
    const std::vector<double>& outputs = m_lstm.Step(m_features.Finish());
    WindowPrediction next;
    next.share = std::max(0.0, Softplus(outputs[0]) + DrawResidual());
    next.loss = outputs.size() > 1 ? 1 / (1 + std::exp(-outputs[1])) : 0;
    return next;
}

/// Draws from the line through the quantiles.
double
WindowPredictor::DrawResidual()
{
    const std::vector<double>& quantiles = m_network->residuals;
    if (quantiles.empty())
    {
        return 0;
    }
    const double at = m_draws.Uniform() * static_cast<double>(quantiles.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), quantiles.size() - 1);
    const auto above = std::min(below + 1, quantiles.size() - 1);
    return quantiles[below] +
           (at - static_cast<double>(below)) * (quantiles[above] - quantiles[below]);
}

} // namespace ns3
