// Where fill jobs come from: a trace, or a generator of a mix of models with log-normal sizes (heavy tails are what
// traces of shared GPU clusters show: Weng et al., MLaaS in the Wild, NSDI'22; the parameters are the user's).
#pragma once

#include "fill-jobs/fill-catalogue.h"
#include "fill-jobs/fill-job.h"
#include "hardware/gpu-spec.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// What jobs can run: name and task, and the programs for each.
class FillModels
{
  public:
    /// A catalogue's model, for `gpus` GPUs a worker. Throws std::invalid_argument where it fits no GPU.
    void AddFromCatalogue(const FillModel& model, FillTask task, const GpuSpec& gpu);

    /// A user's own list of operators.
    void Add(const std::string& name, FillTask task, std::shared_ptr<const FillProgram> program);

    using Programs = std::vector<std::shared_ptr<const FillProgram>>;

    /// Null if there is none.
    const Programs* Find(const std::string& name, FillTask task) const;

    /// Of all, for messages: "bert-base training, bert-base inference".
    std::string Names() const;

  private:
    std::map<std::pair<std::string, FillTask>, Programs> m_programs;
};

/// One kind of job in a mix.
struct FillMixEntry
{
    std::string model;
    FillTask task = FillTask::Inference;
    double weight = 1; ///< share of the jobs; positive
};

struct FillGeneratorInputs
{
    std::uint32_t jobs = 0;
    double jobsPerHour = 0;        ///< Poisson; 0: all of them are there at time 0
    Duration medianTime;           ///< of a job, on a worker's GPUs of its own
    double sigma = 0;              ///< of the logarithm of the times; 0: all alike
    double deadlineFactor = 0;     ///< deadline at arrival + factor x dedicated time; 0: none
    std::vector<FillMixEntry> mix; ///< at least one
    Bytes gpuMemory;
    std::uint64_t seed = 1;
};

/// In the order of arrival, numbered from 1. Throws std::invalid_argument for a model that `models` doesn't have.
std::vector<FillJob> GenerateFillJobs(const FillGeneratorInputs& inputs, const FillModels& models);

/// Reads `path`: CSV with the columns arrival_s, model, task (training or inference), samples (of a GPU), and optionally
/// deadline_s (since time 0; empty: none), in the order of arrival. Throws ConfigError with the line number.
std::vector<FillJob> ReadFillTrace(const std::string& path, const FillModels& models);

/// The same from `text`; `fileName` is for messages.
std::vector<FillJob>
ParseFillTrace(const std::string& fileName, const std::string& text, const FillModels& models);

} // namespace geotrain
