// SPDX-License-Identifier: GPL-2.0-only
// Says window by window what a learned path's network expects, in closed loop: the network reads what
// was sent in the windows before and what this path made of it. How far the records were from the
// network's expectation is drawn at random, once per window.
#pragma once

#include "units/random-stream.h"
#include "wan-topology/model/window-lstm.h"

namespace ns3
{

/// WindowPrediction is what a window is like.
struct WindowPrediction
{
    /// Cross traffic over the rate, or the delay in the buffer over its emptying time; at least 0.
    double share = 0;
    double loss = 0; ///< probability that a packet is lost; 0 where the network says nothing of it
};

/// WindowPredictor predicts the windows of one direction.
class WindowPredictor
{
  public:
    /// `path.network` is there.
    WindowPredictor(const geotrain::PathParameters& path, geotrain::RandomStream draws);

    /// Adds a packet of the present window, as WindowFeatures::Add.
    void Add(std::int64_t sent, double bytes, std::optional<double> stay);

    /// Ends the present window, and returns the next window's prediction. What is added before the
    /// first call is in no window.
    WindowPrediction Next();

  private:
    double DrawResidual();

    std::shared_ptr<const geotrain::WindowNetwork> m_network;
    WindowFeatures m_features;
    WindowLstm m_lstm;
    geotrain::RandomStream m_draws;
};

} // namespace ns3
