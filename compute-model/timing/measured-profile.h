// SPDX-License-Identifier: GPL-2.0-only
// Takes stage times from a profile that a user measured (profile-rows.h), in place of the analytic
// model. Where a GPU has no rows for embedding or head at all, their time is taken to be part of the
// first and last layer's. Without a column gpu, the times are those of every GPU.
#pragma once

#include "timing/profile-rows.h"
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

    /// Times a stage. Full recomputation runs the layers'
    /// forward passes again; the optimiser step is the analytic one where a row has none. Throws
    /// ConfigError where the profile lacks a layer for this microbatch size and tensor parallelism,
    /// or the embedding or head that it has for others, is of another model of the catalogue, or of
    /// another sequence or precision than the model's, and for selective recomputation of unfused
    /// attention, for which it has no time.
    StageTiming TimeStage(const TransformerSpec& model,
                          const StageShare& share,
                          const GpuSpec& gpu,
                          const StageExecution& execution) const;

  private:
    /// A Key is GPU, layer, microbatch size and tensor parallelism.
    using Key = std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>;

    void CheckMeasures(const ProfileRow* row, const TransformerSpec& model) const;

    bool HasRowsOf(const std::string& layer, const GpuSpec& gpu) const;

    [[noreturn]] void
    FailForLack(const std::string& what, const GpuSpec& gpu, const StageExecution& execution) const;

    const ProfileRow*
    Find(const std::string& layer, const GpuSpec& gpu, const StageExecution& execution) const;

    std::string m_fileName;
    std::map<Key, ProfileRow> m_rows;
};

} // namespace geotrain
