// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/window-predictor.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

WindowPredictor::WindowPredictor(const PathParameters& path, RandomStream draws)
    : m_network(path.network),
      m_features(path, m_network->window),
      m_lstm(path.network),
      m_draws(draws)
{
}

const WindowPrediction&
WindowPredictor::Next()
{
    if (m_slot == 0)
    {
        StepWindow();
    }
    m_slot = (m_slot + 1) % m_network->slots;
    m_next.share = NextShare();
    return m_next;
}

/// Asks the network for the window that begins.
void
WindowPredictor::StepWindow()
{
    const std::vector<double>& outputs = m_lstm.Step(m_features.Finish());
    m_expected = Softplus(outputs[0]);
    if (outputs.size() > 1)
    {
        m_next.loss = 1 / (1 + std::exp(-outputs[1]));
    }
}

/// A residual is drawn for each slot, so that what is drawn doesn't depend on what is known.
double
WindowPredictor::NextShare()
{
    const double drawn = std::max(0.0, m_expected + DrawResidual());
    const auto& recorded = m_network->recordedShares;
    const std::size_t next = m_nextRecorded++;
    if (next >= recorded.size() || !recorded[next])
    {
        return drawn;
    }
    return std::max(0.0, *recorded[next] + BeyondRecorded(next));
}

/// Returns what the network says of the present window beyond what it said of the recorded one.
double
WindowPredictor::BeyondRecorded(std::size_t slot) const
{
    const auto& said = m_network->recordedSaid;
    return said.empty() ? 0 : m_expected - said[slot / m_network->slots];
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

} // namespace geotrain
