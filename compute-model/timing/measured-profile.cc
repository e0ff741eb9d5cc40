// SPDX-License-Identifier: GPL-2.0-only
#include "timing/measured-profile.h"

#include "units/config-error.h"
#include "units/text-file.h"
#include "workload/model-catalogue.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

MeasuredProfile
MeasuredProfile::Load(const std::string& path)
{
    return Parse(path, ReadTextFile(path));
}

MeasuredProfile
MeasuredProfile::Parse(const std::string& fileName, const std::string& text)
{
    MeasuredProfile profile;
    profile.m_fileName = fileName;
    for (auto& row : ReadProfileRows(fileName, text))
    {
        const Key key{row.gpu, row.layer, row.microbatch, row.tensorParallel};
        if (!profile.m_rows.emplace(key, std::move(row)).second)
        {
            throw ConfigError(
                fileName, "", "", "must be of one model, one sequence and one precision");
        }
    }
    return profile;
}

/// Throws where `row` was measured with another sequence or precision than `model` has, or is of
/// another model of the catalogue.
void
MeasuredProfile::CheckMeasures(const ProfileRow* row, const TransformerSpec& model) const
{
    if (row != nullptr && !row->model.empty() && row->model != model.name && FindModel(model.name))
    {
        throw ConfigError(
            m_fileName, "model", row->model, "must be " + model.name + ", the scenario's model");
    }
    if (row != nullptr && row->sequence > 0 && row->sequence != model.sequence)
    {
        throw ConfigError(m_fileName,
                          "sequence",
                          std::to_string(row->sequence),
                          "must be " + std::to_string(model.sequence) +
                              ", the tokens of the model's sequence (model.sequence)");
    }
    if (row != nullptr && row->precision && *row->precision != model.precision)
    {
        throw ConfigError(m_fileName,
                          "precision",
                          NameOf(*row->precision),
                          std::string("must be ") + NameOf(model.precision) +
                              ", the model's precision (model.precision)");
    }
}

const ProfileRow*
MeasuredProfile::Find(const std::string& layer,
                      const GpuSpec& gpu,
                      const StageExecution& execution) const
{
    for (const std::string& of : {gpu.name, std::string()})
    {
        const auto found =
            m_rows.find({of, layer, execution.microbatchSize, execution.tensorParallel});
        if (found != m_rows.end())
        {
            return &found->second;
        }
    }
    return nullptr;
}

/// Returns whether there are rows of `layer` on the GPU, of any microbatch size and tensor
/// parallelism.
bool
MeasuredProfile::HasRowsOf(const std::string& layer, const GpuSpec& gpu) const
{
    return std::any_of(m_rows.begin(),
                       m_rows.end(),
                       [&](const auto& entry)
                       {
                           const ProfileRow& row = entry.second;
                           return row.layer == layer && (row.gpu == gpu.name || row.gpu.empty());
                       });
}

void
MeasuredProfile::FailForLack(const std::string& what,
                             const GpuSpec& gpu,
                             const StageExecution& execution) const
{
    throw ConfigError(m_fileName,
                      what,
                      "",
                      "must have a row on " + gpu.name + " for microbatch " +
                          std::to_string(execution.microbatchSize) + " and tp " +
                          std::to_string(execution.tensorParallel));
}

StageTiming
MeasuredProfile::TimeStage(const TransformerSpec& model,
                           const StageShare& share,
                           const GpuSpec& gpu,
                           const StageExecution& execution) const
{
    if (execution.recomputation == Recomputation::Selective &&
        execution.attention == Attention::Unfused)
    {
        throw ConfigError(m_fileName,
                          "",
                          "",
                          "has no time for attention alone, which selective recomputation needs");
    }
    StageTiming timing;
    std::optional<Duration> optimizer = Duration(); // unset: a row has none
    const auto add = [&timing, &optimizer](const ProfileRow& row)
    {
        timing.forward += row.forward;
        timing.backwardInput += row.backwardInput;
        timing.backwardWeight += row.backwardWeight;
        optimizer =
            optimizer && row.optimizer ? std::optional(*optimizer + *row.optimizer) : std::nullopt;
    };
    for (std::uint32_t layer = share.firstLayer; layer < share.firstLayer + share.layers; ++layer)
    {
        const ProfileRow* row = Find(std::to_string(layer), gpu, execution);
        CheckMeasures(row, model);
        if (row == nullptr)
        {
            FailForLack("layer " + std::to_string(layer), gpu, execution);
        }
        add(*row);
        if (execution.recomputation == Recomputation::Full)
        {
            timing.recompute += row->forward;
        }
    }
    for (const auto& [held, name] :
         {std::pair{share.hasEmbedding, "embedding"}, {share.hasHead, "head"}})
    {
        const ProfileRow* row = held ? Find(name, gpu, execution) : nullptr;
        CheckMeasures(row, model);
        if (row != nullptr)
        {
            add(*row);
        }
        else if (held && HasRowsOf(name, gpu))
        {
            FailForLack(name, gpu, execution);
        }
    }
    const double parameters = static_cast<double>(StageParameters(model, share));
    timing.optimizerStep =
        optimizer ? *optimizer
                  : OptimizerStepTime(parameters / execution.tensorParallel, gpu, model.precision);
    return timing;
}

} // namespace geotrain
