// A fill job: training or batch inference that is in no hurry and runs in the bubbles of a main job. PipeFill (Arfeen et
// al., MLSys'25, arXiv 2410.07192). A job is a linear list of operators, passed through again and again; it may pause
// after some of them. A job runs on one GPU. What it reads and writes outside that is ignored.
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

struct FillOperator
{
    std::string name;
    Duration duration;          ///< on the GPU, alone; positive
    Bytes memory;               ///< of the whole job on the GPU while the operator runs
    Flops work;                 ///< what recovered FLOP/s count
    bool checkpointable = true; ///< the job may pause after it
};

/// Operators that run in one bubble or not at all: up to a checkpointable one, or to the end of the pass.
struct FillSegment
{
    std::size_t firstOperator = 0;
    std::size_t operators = 0;
    Duration duration;
    Bytes memory; ///< the most that the job needs meanwhile
    Bytes held;   ///< what the job has on the GPU when it pauses afterwards
    Flops work;
};

enum class FillTask : std::uint8_t
{
    Training, ///< a pass is one step: forward, backward, optimiser
    Inference ///< a pass is one batch
};

/// The operators of one pass on one type of GPU.
class FillProgram
{
  public:
    /// `samples` are what a pass gets done, at least 1. Throws std::invalid_argument, "FIELD RULE", for no
    /// operator, a duration that isn't positive, or negative memory.
    FillProgram(std::string name, std::uint32_t samples, std::vector<FillOperator> operators);

    const std::string& Name() const;
    std::uint32_t Samples() const;
    const std::vector<FillOperator>& Operators() const;
    const std::vector<FillSegment>& Segments() const;

    /// Of one pass.
    Duration PassDuration() const;

    Flops PassWork() const;

    /// The most that a pass needs.
    Bytes PeakMemory() const;

  private:
    std::string m_name;
    std::uint32_t m_samples;
    std::vector<FillOperator> m_operators;
    std::vector<FillSegment> m_segments;
    Duration m_passDuration;
    Flops m_passWork;
    Bytes m_peakMemory;
};

struct FillJob
{
    std::uint64_t number = 0; ///< from 1, in the order of arrival
    std::string model;        ///< for reports
    FillTask task = FillTask::Inference;
    Instant arrival;
    std::optional<Instant> deadline;
    std::uint64_t samples = 1; ///< at least 1

    /// The same work in different batch sizes; at least one. Which of them runs is the planner's choice.
    std::vector<std::shared_ptr<const FillProgram>> programs;
};

/// How often a job of `samples` passes through `program`.
std::uint64_t PassesOf(const FillProgram& program, std::uint64_t samples);

/// The time of the job on a GPU of its own, without pauses, in the program that is the fastest there. Throws
/// std::invalid_argument where none fits `gpuMemory`.
Duration DedicatedTime(const FillJob& job, Bytes gpuMemory);

/// FLOP/s of one GPU of its own that runs the job in its fastest program; 0 for a job without any.
double DedicatedFlopsPerSecond(const FillJob& job);

} // namespace geotrain
