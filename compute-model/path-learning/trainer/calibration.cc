// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/calibration.h"

#include "path-learning/trainer/residuals.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double standardErrors = 2; // 95 % of what is by chance
// A network that says less than a third of what was has learned next to nothing. To scale it up would
// extrapolate, and runs away in closed loop: it is left as it is. An estimate.
constexpr double mostScale = 3;

/// Slope is a weighted regression of y on x.
class Slope
{
  public:
    void Add(double x, double y, double weight)
    {
        m_count += 1;
        m_weight += weight;
        m_x += weight * x;
        m_y += weight * y;
        m_xx += weight * x * x;
        m_xy += weight * x * y;
        m_yy += weight * y * y;
    }

    double MeanX() const
    {
        return m_x / m_weight;
    }

    /// Returns the slope less its standard errors.
    double Least() const
    {
        const double x = MeanX();
        const double y = m_y / m_weight;
        const double xx = m_xx / m_weight - x * x;
        const double xy = m_xy / m_weight - x * y;
        const double yy = m_yy / m_weight - y * y;
        if (!(xx > 1e-12))
        {
            return 0;
        }
        const double slope = xy / xx;
        const double left = std::max(0.0, yy - slope * xy); // variance that it leaves
        return slope - standardErrors * std::sqrt(left / xx / m_count);
    }

    bool IsEmpty() const
    {
        return m_weight <= 0;
    }

  private:
    double m_count = 0;
    double m_weight = 0;
    double m_x = 0, m_y = 0, m_xx = 0, m_xy = 0, m_yy = 0;
};

} // namespace

void
Calibrate(WindowNetwork& network,
          const std::vector<TrainingRecord>& records,
          const std::vector<TrainingChunk*>& judged)
{
    std::vector<std::vector<double>> said;
    for (const TrainingRecord& record : records)
    {
        said.push_back(SaidOf(network, record));
    }
    Slope slope;
    for (const TrainingChunk* chunk : judged)
    {
        for (std::size_t i = chunk->firstWindow; i < chunk->firstWindow + chunk->windows; ++i)
        {
            const WindowTruth& truth = records[chunk->record].crossTraffic[i];
            if (truth.weight > 0 && !truth.hasLoss)
            {
                slope.Add(said[chunk->record][i], truth.share, truth.weight);
            }
        }
    }
    if (slope.IsEmpty())
    {
        return;
    }
    const double least = slope.Least();
    const double scale = least > mostScale ? 1 : std::max(0.0, least);
    const double middle = std::log(std::expm1(std::max(1e-6, slope.MeanX())));
    for (double& weight : network.outputWeights)
    {
        weight *= scale;
    }
    network.outputBiases[0] = middle + scale * (network.outputBiases[0] - middle);
}

} // namespace geotrain
