// Stage times from a profile that a user measured, in place of the analytic model. CSV with the
// columns layer,microbatch,tp,forward_ms,backward_input_ms,backward_weight_ms in any order: `layer`
// counts from 0, or is `embedding` or `head`; `microbatch` is a size in sequences. Without rows for
// embedding or head their time is taken to be part of the first and last layer's.
#pragma once

#include "timing/stage-timing.h"
#include "units/duration.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace geotrain
{

class MeasuredProfile
{
  public:
    /// Throws ConfigError that names file, line, column and rule: times positive, no row twice.
    static MeasuredProfile Load(const std::string& path);

    /// The same from `text`; `fileName` is for messages.
    static MeasuredProfile Parse(const std::string& fileName, const std::string& text);

    /// The stage whose first layer is `firstLayer`. Full recomputation runs the layers' forward
    /// passes again; the optimiser step is the analytic one. Throws ConfigError where the profile
    /// lacks a layer for this microbatch size and tensor parallelism, and for selective
    /// recomputation, which it has no time for.
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

    using Key = std::tuple<std::string, std::uint32_t, std::uint32_t>; ///< layer, microbatch, tp

    const Row* Find(const std::string& layer, const StageExecution& execution) const;

    std::string m_fileName;
    std::map<Key, Row> m_rows;
};

} // namespace geotrain
