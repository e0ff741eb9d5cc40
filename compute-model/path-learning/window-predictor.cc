// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/window-predictor.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

WindowPredictor::WindowPredictor(const PathParameters& path, RandomStream draws)
    : m_network(path.network),
      m_inputs(m_network->Inputs()),
      m_lstm(path.network),
      m_draws(draws)
{
    m_expected.resize(m_network->lanes);
    m_next.shares.resize(m_network->lanes);
    m_next.choices.resize(m_network->lanes > 1 ? m_network->lanes : 0);
    for (const PathLane& lane : path.Lanes())
    {
        m_features.emplace_back(lane, m_network->window);
    }
}

const WindowPrediction&
WindowPredictor::Next()
{
    if (m_slot == 0)
    {
        StepWindow();
    }
    m_slot = (m_slot + 1) % m_network->slots;
    for (std::size_t k = 0; k < m_expected.size(); ++k)
    {
        m_next.shares[k] = NextShare(k);
    }
    return m_next;
}

/// Asks the network for the window that begins.
void
WindowPredictor::StepWindow()
{
    double* inputs = m_inputs.data();
    for (WindowFeatures& features : m_features)
    {
        const WindowFeatures::Values& values = features.Finish();
        inputs = std::copy(values.begin(), values.end(), inputs);
    }
    const std::vector<double>& outputs = m_lstm.Step(m_inputs.data());
    const std::size_t lanes = m_features.size();
    std::transform(outputs.begin(),
                   outputs.begin() + static_cast<std::ptrdiff_t>(lanes),
                   m_expected.begin(),
                   Softplus);
    if (lanes > 1)
    {
        m_next.choices =
            Softmax({outputs.begin() + static_cast<std::ptrdiff_t>(lanes), outputs.end()});
    }
    else if (outputs.size() > 1)
    {
        m_next.loss = 1 / (1 + std::exp(-outputs[1]));
    }
}

/// A residual is drawn for each lane and slot, so that what is drawn doesn't depend on what is known.
double
WindowPredictor::NextShare(std::size_t lane)
{
    const double drawn = std::max(0.0, m_expected[lane] + DrawResidual());
    const auto& recorded = m_network->recordedShares;
    const std::size_t next = m_nextRecorded++;
    if (next >= recorded.size() || !recorded[next])
    {
        return drawn;
    }
    return std::max(0.0, *recorded[next] + BeyondRecorded(next, lane));
}

/// Returns what the network says of the present window beyond what it said of the recorded one.
double
WindowPredictor::BeyondRecorded(std::size_t slot, std::size_t lane) const
{
    const auto& said = m_network->recordedSaid;
    const std::size_t lanes = m_expected.size();
    const std::size_t window = slot / lanes / m_network->slots;
    return said.empty() ? 0 : m_expected[lane] - said[window * lanes + lane];
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
