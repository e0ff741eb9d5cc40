// SPDX-License-Identifier: GPL-2.0-only
// Makes fill jobs from a trace, or generates them from a mix of models with log-normal sizes.
// Traces of shared GPU clusters show heavy tails (Weng et al., MLaaS in the Wild, NSDI'22); the
// parameters are the user's.
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

/// FillModels holds what jobs can run: the programs for each name and task.
class FillModels
{
  public:
    /// Adds a model of the catalogue for GPUs like `gpu`, beside other types of GPU. Throws
    /// std::invalid_argument where it does not fit the GPU.
    void AddFromCatalogue(const FillModel& model, FillTask task, const GpuSpec& gpu);

    /// Adds a user's own list of operators.
    void Add(const std::string& name, FillTask task, std::shared_ptr<const FillProgram> program);

    using Programs = std::vector<std::shared_ptr<const FillProgram>>;

    /// Returns null if there is none.
    const Programs* Find(const std::string& name, FillTask task) const;

    /// Returns all names for messages: "bert-base training, bert-base inference".
    std::string Names() const;

  private:
    std::map<std::pair<std::string, FillTask>, Programs> m_programs;
};

/// A FillMixEntry is one kind of job in a mix.
struct FillMixEntry
{
    std::string model;
    FillTask task = FillTask::Inference;
    double weight = 1; ///< share of the jobs; positive
};

/// FillGeneratorInputs describe a random stream of jobs.
struct FillGeneratorInputs
{
    std::uint32_t jobs = 0;
    double jobsPerHour = 0;    ///< Poisson rate; 0: all jobs arrive at time 0
    Duration medianTime;       ///< median time of a job on GPUs of its own
    double sigma = 0;          ///< standard deviation of the logarithm of the times; 0: all alike
    double deadlineFactor = 0; ///< the deadline is arrival + factor x dedicated time; 0: none
    std::vector<FillMixEntry> mix; ///< at least one
    Bytes gpuMemory;               ///< the most of any GPU
    std::uint64_t seed = 1;
};

/// Generates jobs in the order of arrival, numbered from 1. Throws std::invalid_argument for a
/// model that `models` doesn't have.
std::vector<FillJob> GenerateFillJobs(const FillGeneratorInputs& inputs, const FillModels& models);

/// Reads a CSV `text` with the columns arrival_s, model, task (training or inference), samples (per
/// GPU), and optionally deadline_s (since time 0; empty: none), in the order of arrival. Throws
/// ConfigError with `fileName` and the line number.
std::vector<FillJob>
ParseFillTrace(const std::string& fileName, const std::string& text, const FillModels& models);

} // namespace geotrain
