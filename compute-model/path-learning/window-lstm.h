// SPDX-License-Identifier: GPL-2.0-only
// Runs the network of a learned path: an LSTM (Hochreiter and Schmidhuber 1997, with forget gates)
// and a linear layer, one step per window, in plain C++. It computes what libtorch computes from the
// same weights, but for rounding.
#pragma once

#include "path-learning/window-features.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// WindowLstm is the network with its state.
class WindowLstm
{
  public:
    explicit WindowLstm(std::shared_ptr<const WindowNetwork> network);

    /// Takes the features of a window, and returns the linear layer's outputs for the next.
    const std::vector<double>& Step(const WindowFeatures::Values& features);

  private:
    void FillGates();

    std::shared_ptr<const WindowNetwork> m_network;
    WindowFeatures::Values m_inputs{}; ///< of the present step, normalised
    std::vector<double> m_gates;  ///< of the present step
    std::vector<double> m_cell;
    std::vector<double> m_hidden;
    std::vector<double> m_outputs;
};

/// Returns log(1 + e^x), which is positive.
double Softplus(double x);

/// Features are at most so many deviations from their mean for the network: what the records never
/// showed is like the extreme of what they did. An estimate.
constexpr double farthestFeature = 4;

} // namespace geotrain
