// SPDX-License-Identifier: GPL-2.0-only
// A fill job is training or batch inference that is in no hurry and runs in the bubbles of a main
// job: PipeFill (Arfeen et al., MLSys'25, arXiv 2410.07192). A job is a linear list of operators,
// passed through again and again; it may pause after some of them. A job runs on one GPU. What it
// reads and writes outside that GPU is ignored.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"
#include "units/flops.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A FillOperator is one step of a job's pass.
struct FillOperator
{
    std::string name;
    Duration duration;          ///< time on the GPU by itself; positive
    Bytes memory;               ///< memory of the whole job while the operator runs
    Flops work;                 ///< FLOPs that count as recovered
    bool checkpointable = true; ///< the job may pause after it
    std::uint32_t kernels = 1;  ///< equally long ones; none can be stopped
};

/// A FillSegment is a run of operators that are done in one bubble or not at all: up to a
/// checkpointable one, or to the end of the pass.
struct FillSegment
{
    std::size_t firstOperator = 0;
    std::size_t operators = 0;
    Duration duration;
    Bytes memory; ///< most that the job needs meanwhile
    Bytes held;   ///< what the job holds on the GPU when it pauses afterwards
    Flops work;
};

/// FillTask says what a pass does.
enum class FillTask : std::uint8_t
{
    Training, ///< a pass is one step: forward, backward, optimiser
    Inference ///< a pass is one batch
};

/// A FillProgram holds the operators of one pass on one type of GPU.
class FillProgram
{
  public:
    /// `samples` is what a pass gets done, at least 1. `gpu` names the type of GPU that has these
    /// times; empty: any. Throws std::invalid_argument, "FIELD RULE", for no operator, a duration
    /// that isn't positive, or negative memory.
    FillProgram(std::string name,
                std::uint32_t samples,
                std::vector<FillOperator> operators,
                std::string gpu = "");

    const std::string& Name() const;
    std::uint32_t Samples() const;

    /// Returns whether the times are those of GPUs of the type; an empty type is any.
    bool IsFor(const std::string& gpu) const;

    const std::vector<FillOperator>& Operators() const;
    const std::vector<FillSegment>& Segments() const;

    /// Returns the time of one pass without pauses.
    Duration PassDuration() const;

    /// Returns the recovered FLOPs of one pass.
    Flops PassWork() const;

    /// Returns the most memory that a pass needs.
    Bytes PeakMemory() const;

  private:
    std::string m_name;
    std::uint32_t m_samples;
    std::string m_gpu;
    std::vector<FillOperator> m_operators;
    std::vector<FillSegment> m_segments;
    Duration m_passDuration;
    Flops m_passWork;
    Bytes m_peakMemory;
};

/// A FillJob is one job with all programs in which it may run.
struct FillJob
{
    std::uint64_t number = 0; ///< from 1, in the order of arrival
    std::string model;        ///< for reports
    FillTask task = FillTask::Inference;
    Instant arrival;
    std::optional<Instant> deadline;
    std::uint64_t samples = 1; ///< at least 1

    /// Programs that do the same work in different batch sizes, or on different types of GPU; at
    /// least one. A planner chooses which of them runs.
    std::vector<std::shared_ptr<const FillProgram>> programs;
};

/// Returns how often a job of `samples` samples passes through `program`.
std::uint64_t PassesOf(const FillProgram& program, std::uint64_t samples);

/// Returns the FLOP/s of one GPU of its own that runs the job in its fastest program; 0 for a job
/// without any.
double DedicatedFlopsPerSecond(const FillJob& job);

} // namespace geotrain
