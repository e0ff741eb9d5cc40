// SPDX-License-Identifier: GPL-2.0-only
// Takes stage times from a profile that a user measured, in place of the analytic model. The file
// is CSV with the columns layer, microbatch, tp, forward_ms, backward_input_ms and
// backward_weight_ms in any order. `layer` counts from 0, or is `embedding` or `head`; `microbatch`
// is a size in sequences. Without rows for embedding or head, their time is taken to be part of the
// first and last layer's.
#pragma once

#include "timing/stage-timing.h"
#include "units/duration.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace geotrain
{

/// A MeasuredProfile holds the measured times of a model's layers.
class MeasuredProfile
{
  public:
    /// Reads a profile. Times must be positive and no row may come twice. Throws ConfigError that
    /// names file, line, column and rule.
    static MeasuredProfile Load(const std::string& path);

    /// Does the same from `text`; `fileName` is used in messages.
    static MeasuredProfile Parse(const std::string& fileName, const std::string& text);

    /// Times the stage whose first layer is `firstLayer`. Full recomputation runs the layers'
    /// forward passes again; the optimiser step is the analytic one. Throws ConfigError where the
    /// profile lacks a layer for this microbatch size and tensor parallelism, and for selective
    /// recomputation of unfused attention, for which it has no time.
    StageTiming TimeStage(const TransformerSpec& model,
                          const StageShare& share,
                          std::uint32_t firstLayer,
                          const GpuSpec& gpu,
                          const StageExecution& execution) const;

  private:
    struct Row
    {
        Duration forward;
        Duration backwardInput;
        Duration backwardWeight;
    };

    /// A Key is layer, microbatch size and tensor parallelism.
    using Key = std::tuple<std::string, std::uint32_t, std::uint32_t>;

    const Row* Find(const std::string& layer, const StageExecution& execution) const;

    std::string m_fileName;
    std::map<Key, Row> m_rows;
};

} // namespace geotrain
