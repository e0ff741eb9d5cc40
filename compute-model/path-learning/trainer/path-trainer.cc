// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/trainer/path-trainer.h"

#include "path-learning/random-loss.h"
#include "path-learning/trainer/calibration.h"
#include "path-learning/trainer/residuals.h"
#include "path-learning/trainer/training-batch.h"
#include "path-learning/trainer/training-loss.h"
#include "path-learning/trainer/training-window.h"
#include "path-learning/trainer/window-model.h"
#include "path-learning/window-lstm.h"
#include "units/random-stream.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace geotrain
{

namespace
{

using torch::Tensor;

// All are estimates.
constexpr std::size_t anchorWindows = 8; // after which the buffer is as recorded again
constexpr std::size_t batchChunks = 32;
constexpr std::size_t heldOutEvery = 5;       // one chunk in so many is not trained on
constexpr std::uint32_t patience = 8;         // epochs without a smaller held-out loss
constexpr double networkStep = 3e-3;          // of Adam
constexpr double networkDecay = 1e-2;         // of weights (Loshchilov and Hutter, ICLR 2019)
constexpr double pathStep = 3e-5;             // of rate, propagation and buffer, relative
constexpr double unitRaw = 0.541324854612918; // softplus(unitRaw) = 1
constexpr double leastPropagation = 1e-6;     // s, to start from

/// PathTraining is one training.
class PathTraining
{
  public:
    PathTraining(const PathModel& path,
                 const std::vector<PacketTrace>& traces,
                 const TrainingSettings& settings)
        : m_settings(settings),
          m_model(path),
          m_lossShare(settings.isPlain ? 0 : path.forward.lossShare),
          m_isOnePath(SpreadOf(path.members) <= samePathSpread),
          m_shuffle(settings.seed, "learned-path", "training")
    {
        torch::manual_seed(settings.seed);
        m_network.output = settings.isPlain ? WindowNetwork::Output::DelayAndLoss
                                            : WindowNetwork::Output::CrossTraffic;
        m_network.window = WholeWindow(*settings.window);
        m_network.hidden = settings.hidden;
        m_network.slots = settings.isPlain ? 1 : SlotsFor(m_network.window, path, traces);
        m_paths = m_isOnePath ? std::vector<PathParameters>{path.forward} : path.members;
        for (const PacketTrace& trace : traces)
        {
            m_records.emplace_back(trace, m_network.window);
        }
        Describe();
        Normalise();
        MakeChunks();
        MakeParameters();
    }

    PathModel Train(const TrainingObserver& observer)
    {
        torch::optim::AdamW forNetwork(
            m_module->parameters(),
            torch::optim::AdamWOptions(networkStep).weight_decay(networkDecay));
        torch::optim::Adam forPath({m_raw}, torch::optim::AdamOptions(pathStep));
        const double before = LossOf(m_training, m_training.size(), nullptr);
        Keep(before, HeldOutLoss());
        std::uint32_t sinceBest = 0;
        for (m_epoch = 1; m_epoch <= m_settings.epochs && sinceBest < patience; ++m_epoch)
        {
            Shuffle();
            m_step = [&]
            {
                forNetwork.step();
                forPath.step();
                forNetwork.zero_grad();
                forPath.zero_grad();
            };
            const double loss = LossOf(m_training, batchChunks, &observer);
            if (m_isStopped)
            {
                break;
            }
            TakePaths();
            Describe();
            sinceBest = Keep(loss, HeldOutLoss()) ? 0 : sinceBest + 1;
        }
        return Finish();
    }

  private:
    std::size_t PathOf(std::size_t record) const
    {
        return m_isOnePath ? 0 : record;
    }

    void Describe()
    {
        for (std::size_t i = 0; i < m_records.size(); ++i)
        {
            m_records[i].Describe(m_paths[PathOf(i)]);
        }
        m_batches.reset();
    }

    /// Takes means and deviations of the features over all windows.
    void Normalise()
    {
        std::vector<double> means(windowFeatures), squares(windowFeatures);
        double count = 0;
        for (const TrainingRecord& record : m_records)
        {
            for (const WindowFeatures::Values& window : record.inputs)
            {
                count += 1;
                for (std::size_t i = 0; i < window.size(); ++i)
                {
                    const double off = window[i] - means[i];
                    means[i] += off / count;
                    squares[i] += off * (window[i] - means[i]);
                }
            }
        }
        m_network.featureMeans = means;
        for (const double square : squares)
        {
            const double deviation = std::sqrt(square / count);
            m_network.featureDeviations.push_back(deviation > 1e-6 ? deviation : 1);
        }
    }

    void MakeChunks()
    {
        for (std::size_t i = 0; i < m_records.size(); ++i)
        {
            for (TrainingChunk& chunk : m_records[i].Chunks(i, chunkWindows, anchorWindows))
            {
                m_chunks.push_back(std::move(chunk));
            }
        }
        for (std::size_t i = 0; i < m_chunks.size(); ++i)
        {
            (i % heldOutEvery == heldOutEvery - 1 ? m_heldOut : m_training).push_back(&m_chunks[i]);
        }
    }

    /// Returns the mean over the windows of what is to be said.
    double MeanOfWindows() const
    {
        double sum = 0;
        double count = 0;
        for (const TrainingRecord& record : m_records)
        {
            for (const WindowTruth& window :
                 m_settings.isPlain ? record.delays : record.crossTraffic)
            {
                sum += window.weight * window.share;
                count += window.weight;
            }
        }
        return std::max(0.01, count > 0 ? sum / count : 0);
    }

    /// Returns the logarithm of the odds that a packet is lost.
    double LossOdds() const
    {
        double lost = 0;
        double packets = 0;
        for (const TrainingChunk& chunk : m_chunks)
        {
            lost += std::accumulate(chunk.losses.begin(), chunk.losses.end(), 0.0);
            packets += static_cast<double>(chunk.losses.size());
        }
        return std::log((lost + 0.5) / (packets - lost + 0.5));
    }

    /// The output begins at the mean of what it is to say.
    void MakeParameters()
    {
        m_module = std::make_shared<WindowModule>(m_network);
        const torch::NoGradGuard guard;
        m_module->linear->weight.mul_(0.1);
        m_module->linear->bias[0] = std::log(std::expm1(MeanOfWindows()));
        if (m_settings.isPlain)
        {
            m_module->linear->bias[1] = LossOdds();
        }
        std::vector<double> initial;
        for (const PathParameters& path : m_paths)
        {
            const double rate = static_cast<double>(path.rate.ToBitsPerSecond()) / 8;
            initial.insert(initial.end(),
                           {rate,
                            std::max(leastPropagation, path.propagation.ToSeconds()),
                            static_cast<double>(path.buffer.Count()) / rate});
        }
        m_initial = TensorOf(initial).reshape({-1, 3});
        m_raw = torch::full_like(m_initial, unitRaw).set_requires_grad(true);
    }

    Tensor Paths() const
    {
        return m_initial * torch::softplus(m_raw);
    }

    /// Makes the paths those of the training.
    void TakePaths()
    {
        const Tensor paths = Paths().detach();
        const auto rows = paths.accessor<double, 2>();
        for (std::size_t i = 0; i < m_paths.size(); ++i)
        {
            const auto row = rows[static_cast<std::int64_t>(i)];
            PathParameters& path = m_paths[i];
            path.rate = BitRate::BitsPerSecond(std::max(1LL, std::llround(8 * row[0])));
            path.propagation = Duration::Nanoseconds(std::llround(1e9 * row[1]));
            path.buffer = Bytes::Of(std::max(1LL, std::llround(row[0] * row[2])));
        }
    }

    void Shuffle()
    {
        for (std::size_t i = m_training.size(); i > 1; --i)
        {
            const auto other =
                static_cast<std::size_t>(m_shuffle.Uniform() * static_cast<double>(i));
            std::swap(m_training[i - 1], m_training[other]);
        }
    }

    Tensor Loss(const Batch& batch)
    {
        const Tensor outputs =
            m_module->forward(batch.inputs).slice(0, static_cast<std::int64_t>(warmUpWindows));
        return geotrain::LossOf(batch, outputs, Paths(), m_settings.isPlain);
    }

    /// Returns the mean loss over batches of chunks. With an observer it trains on them.
    double LossOf(const std::vector<TrainingChunk*>& chunks,
                  std::size_t most,
                  const TrainingObserver* observer)
    {
        torch::AutoGradMode mode(observer != nullptr);
        if (!m_batches)
        {
            m_batches.emplace(m_records, m_network, m_isOnePath);
        }
        double sum = 0;
        for (std::size_t first = 0; first < chunks.size() && !m_isStopped; first += most)
        {
            const std::size_t last = std::min(first + most, chunks.size());
            const Tensor loss =
                Loss(m_batches->BatchOf({chunks.begin() + static_cast<std::ptrdiff_t>(first),
                                         chunks.begin() + static_cast<std::ptrdiff_t>(last)}));
            sum += loss.item<double>() * static_cast<double>(last - first);
            if (observer)
            {
                loss.backward();
                m_step();
                const double share = static_cast<double>(m_epoch - 1) +
                                     static_cast<double>(last) / static_cast<double>(chunks.size());
                m_isStopped = !(*observer)(
                    {m_epoch, share / static_cast<double>(m_settings.epochs), m_least});
            }
        }
        return sum / static_cast<double>(chunks.size());
    }

    /// A record too short for anything to be held out is judged by what it is trained on.
    double HeldOutLoss()
    {
        const auto& chunks = m_heldOut.empty() ? m_training : m_heldOut;
        return LossOf(chunks, batchChunks, nullptr);
    }

    /// Notes an epoch's losses. Returns whether its state is the best so far, and keeps it then.
    bool Keep(double training, double heldOut)
    {
        m_model.trainingLosses.push_back(training);
        m_model.heldOutLosses.push_back(heldOut);
        if (m_model.heldOutLosses.size() > 1 && !(heldOut < m_least))
        {
            return false;
        }
        m_least = heldOut;
        m_module->Export(m_network);
        m_bestPaths = m_paths;
        return true;
    }

    PathModel Finish()
    {
        m_paths = m_bestPaths;
        Describe();
        m_model.model = m_settings.isPlain ? "lstm" : "rbu";
        m_model.seed = m_settings.seed;
        for (std::size_t i = 0; i < m_model.members.size() && m_settings.isPlain; ++i)
        {
            m_model.members[i].lossShare = 0;
        }
        for (std::size_t i = 0; i < m_model.members.size() && !m_isOnePath; ++i)
        {
            m_model.members[i].rate = m_paths[i].rate;
            m_model.members[i].propagation = m_paths[i].propagation;
            m_model.members[i].buffer = m_paths[i].buffer;
        }
        m_model.forward = m_isOnePath ? m_paths.front() : Combine(m_model.members);
        if (!m_model.forward.crossTraffic.yields || m_settings.isPlain)
        {
            m_model.forward.crossTraffic = {};
        }
        m_model.forward.lossShare = m_lossShare;
        std::vector<PathParameters> pathOfRecord;
        for (std::size_t i = 0; i < m_records.size(); ++i)
        {
            pathOfRecord.push_back(m_paths[PathOf(i)]);
        }
        if (!m_settings.isPlain)
        {
            Calibrate(m_network, m_records, m_heldOut.empty() ? m_training : m_heldOut);
        }
        FillResiduals(m_network, m_records, pathOfRecord);
        m_model.forward.network = std::make_shared<const WindowNetwork>(m_network);
        return m_model;
    }

    TrainingSettings m_settings;
    PathModel m_model;
    double m_lossShare; ///< at random
    bool m_isOnePath;   ///< all records are of one path
    RandomStream m_shuffle;
    WindowNetwork m_network;             ///< its weights are the best so far
    std::vector<PathParameters> m_paths; ///< one, or one for each record
    std::vector<PathParameters> m_bestPaths;
    std::vector<TrainingRecord> m_records;
    std::vector<TrainingChunk> m_chunks;
    std::vector<TrainingChunk*> m_training;
    std::vector<TrainingChunk*> m_heldOut;
    std::optional<BatchMaker> m_batches; ///< of what the records say now
    std::shared_ptr<WindowModule> m_module;
    Tensor m_initial; ///< (paths, 3): bytes per second, propagation, emptying time
    Tensor m_raw;     ///< softplus of it is the factor to m_initial
    std::function<void()> m_step;
    std::uint32_t m_epoch = 0;
    double m_least = 0;
    bool m_isStopped = false;
};

} // namespace

PathModel
TrainPath(const PathModel& path,
          const std::vector<PacketTrace>& traces,
          const TrainingSettings& settings,
          const TrainingObserver& observer)
{
    at::set_num_threads(1);
    // The plain LSTM says all losses itself.
    if (settings.isPlain)
    {
        return PathTraining(path, traces, settings).Train(observer);
    }
    std::vector<PacketTrace> withoutRandom;
    for (const PacketTrace& trace : traces)
    {
        withoutRandom.push_back(RandomLossOf(trace).trace);
    }
    return PathTraining(path, withoutRandom, settings).Train(observer);
}

} // namespace geotrain
