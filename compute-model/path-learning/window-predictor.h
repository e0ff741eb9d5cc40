// SPDX-License-Identifier: GPL-2.0-only
// Says slot by slot what is on a learned path. What the records say of a slot comes again, as far as
// cross traffic doesn't care about one sender: what the network says of this one beyond what it said of
// the recorded one is added. Of the other slots the network says what it expects, in closed loop: it
// reads what was sent in the windows before and what this path made of it. How far a slot is from that is
// drawn at random.
#pragma once

#include "path-learning/window-lstm.h"
#include "units/random-stream.h"

namespace geotrain
{

/// WindowPrediction is what a slot of a window is like.
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
    WindowPredictor(const PathParameters& path, RandomStream draws);

    /// Adds a packet of the present window, as WindowFeatures::Add.
    void Add(std::int64_t sent, double bytes, std::optional<double> stay)
    {
        m_features.Add(sent, bytes, stay);
    }

    /// Ends the present slot, and returns the next one's prediction. What is added before the first
    /// call is in no window.
    const WindowPrediction& Next();

  private:
    void StepWindow();
    double NextShare();
    double BeyondRecorded(std::size_t slot) const;
    double DrawResidual();

    std::shared_ptr<const WindowNetwork> m_network;
    WindowFeatures m_features;
    WindowLstm m_lstm;
    double m_expected = 0;  ///< share of the present window without residuals
    std::size_t m_slot = 0; ///< of the window, that is next
    WindowPrediction m_next;
    RandomStream m_draws;
    std::size_t m_nextRecorded = 0;
};

} // namespace geotrain
