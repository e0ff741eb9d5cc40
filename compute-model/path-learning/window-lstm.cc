// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/window-lstm.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double linearFrom = 20; // torch::softplus is x from there on

double
Sigmoid(double x)
{
    return 1 / (1 + std::exp(-x));
}

} // namespace

double
Softplus(double x)
{
    return x > linearFrom ? x : std::log1p(std::exp(x));
}

WindowLstm::WindowLstm(std::shared_ptr<const WindowNetwork> network)
    : m_network(std::move(network)),
      m_gates(4 * m_network->hidden),
      m_cell(m_network->hidden),
      m_hidden(m_network->hidden),
      m_outputs(m_network->Outputs())
{
}

const std::vector<double>&
WindowLstm::Step(const WindowFeatures::Values& features)
{
    for (std::size_t i = 0; i < m_inputs.size(); ++i)
    {
        const double input =
            (features[i] - m_network->featureMeans[i]) / m_network->featureDeviations[i];
        m_inputs[i] = std::clamp(input, -farthestFeature, farthestFeature);
    }
    FillGates();
    const std::size_t cells = m_network->hidden;
    for (std::size_t i = 0; i < cells; ++i)
    {
        m_cell[i] = Sigmoid(m_gates[cells + i]) * m_cell[i] +
                    Sigmoid(m_gates[i]) * std::tanh(m_gates[2 * cells + i]);
        m_hidden[i] = Sigmoid(m_gates[3 * cells + i]) * std::tanh(m_cell[i]);
    }
    for (std::size_t i = 0; i < m_outputs.size(); ++i)
    {
        m_outputs[i] = std::inner_product(m_hidden.begin(),
                                          m_hidden.end(),
                                          m_network->outputWeights.data() + i * cells,
                                          m_network->outputBiases[i]);
    }
    return m_outputs;
}

/// Sums the gates' inputs.
void
WindowLstm::FillGates()
{
    const double* inputWeights = m_network->inputWeights.data();
    const double* stateWeights = m_network->stateWeights.data();
    for (std::size_t i = 0; i < m_gates.size(); ++i)
    {
        const double fromInputs = std::inner_product(
            m_inputs.begin(), m_inputs.end(), inputWeights, m_network->biases[i]);
        m_gates[i] = std::inner_product(m_hidden.begin(), m_hidden.end(), stateWeights, fromInputs);
        inputWeights += m_inputs.size();
        stateWeights += m_hidden.size();
    }
}

} // namespace geotrain
