// SPDX-License-Identifier: GPL-2.0-only
// Runs fill jobs in the bubbles of a main job (PipeFill, Arfeen et al., arXiv 2410.07192). The
// bubbles are the Bubble instructions of the workers' streams. Those after the first iteration are
// the profile: from it the filler quotes each job's time on each kind of GPU and schedules the
// jobs. A job is in the queue of its worker behind all else (fill-host.h), and each time that its GPU
// is idle it runs as large a piece as fits the bubble, as the stream has it at that time. What training
// interrupts goes on at its next kernel. Each GPU of a worker runs a job of its own.
#pragma once

#include "filling/fill-host.h"
#include "fill-jobs/fill-plan.h"
#include "fill-jobs/fill-scheduler.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// PipeFillerOptions are what a run sets.
struct PipeFillerOptions
{
    FillCosts costs;
    FillPolicy policy;
};

/// A FillWorker is what a fill job sees of a worker.
struct FillWorker
{
    /// Class of workers with the same bubbles (a pipeline stage), from 0 without gaps.
    std::uint32_t gpuClass = 0;
    std::uint32_t gpus = 1;
    Bytes offloadable;    ///< optimiser state on each of its GPUs
    std::string gpu = ""; ///< type of its GPUs; empty: any. One for all of a class
};

/// A FillJobRecord is what became of a job.
struct FillJobRecord
{
    FillJob job;
    std::optional<Instant> start; ///< start of its first piece
    std::optional<Instant> end;   ///< end of its last piece
    std::string refused;          ///< reason of a refusal; empty: not refused
    std::optional<WorkerIndex> worker;
    std::uint32_t gpu = 0; ///< the worker's GPU, from 0
    double flops = 0;      ///< FLOPs done
};

/// PipeFiller is the filler that runs fill jobs.
class PipeFiller : public Filler
{
  public:
    /// `jobs` are in the order of arrival, numbered from 1. `workers` are as many as the host's, whose MarkBubbles()
    /// was called. Add the filler to the host, which must outlive it.
    PipeFiller(FillHost& host,
               std::vector<FillJob> jobs,
               std::vector<FillWorker> workers,
               PipeFillerOptions options);

    /// Returns the jobs' records in the order of arrival.
    const std::vector<FillJobRecord>& Records() const;

    /// Returns, once the bubbles are profiled, why not even one of the jobs can run; otherwise an
    /// empty text. The clock is stopped in that case.
    const std::string& Failure() const;

    /// Returns the most memory that training and fill jobs used on one GPU.
    Bytes PeakMemory() const;

    void OnForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles) override;
    Duration ToRun(FillWork& work) override;
    FillYield OnEnd(const FillWork& work, const FillEnd& end) override;
    TrainingWait WaitFor(const FillWork& work, Duration ran) const override;

  private:
    /// Idle holds a worker's bubbles, which all of its GPUs have.
    struct Idle
    {
        FillGpu gpu; ///< as profiled
        std::uint32_t iteration = 0;
        std::vector<Bubble> bubbles; ///< of this iteration
    };

    /// A Slot is a GPU and its job.
    struct Slot
    {
        WorkerIndex worker = 0;
        std::uint32_t gpu = 0;          ///< the worker's GPU, from 0
        std::optional<Duration> budget; ///< computing time left in a bubble
        std::uint32_t budgetOf = 0;     ///< the computation that ends this bubble

        std::optional<std::size_t> record; ///< the job
        const FillProgram* program = nullptr;
        FillPosition at;
        std::uint64_t segmentsLeft = 0;
        std::uint32_t pieces = 0;
        std::optional<FillPiece> running;
    };

    void Profile(WorkerIndex worker);
    void BeginScheduling();
    void ArriveNext();
    void Arrive(std::size_t record);
    void Assign(std::size_t record, std::uint32_t slot);
    void Finish(std::uint32_t slot, Instant now);
    const Bubble* BubbleOf(WorkerIndex worker, Instant now) const;

    /// A Choice is the program in which a job ends first, and the time that it takes.
    struct Choice
    {
        const FillProgram* program;
        Duration time;
    };

    const std::optional<FillPlan>& PlanOf(const FillProgram& program, std::uint32_t gpuClass);
    std::optional<Choice> ChooseProgram(const FillJob& job, std::uint32_t gpuClass);
    const std::optional<FillRefusal>& MisfitOf(const FillProgram& program, std::uint32_t gpuClass);
    std::string ReasonOf(const FillJob& job);

    FillHost& m_host;
    std::vector<FillWorker> m_workers;
    PipeFillerOptions m_options;
    std::vector<FillJobRecord> m_records;
    std::vector<Idle> m_idle;                           ///< by worker
    std::vector<Slot> m_slots;                          ///< GPU by GPU, worker after worker
    std::vector<std::uint32_t> m_firstSlot;             ///< by worker
    std::vector<WorkerIndex> m_workerOfClass; ///< whose bubbles stand for all of the class
    std::size_t m_profiled = 0;
    std::size_t m_arrived = 0;
    std::size_t m_refused = 0;
    std::optional<FillScheduler> m_scheduler;
    /// Plans and misfits by program and class of GPUs; never iterated.
    std::map<std::pair<const FillProgram*, std::uint32_t>, std::optional<FillPlan>> m_plans;
    std::map<std::pair<const FillProgram*, std::uint32_t>, std::optional<FillRefusal>> m_misfits;
    std::string m_failure;
    Bytes m_peakMemory;
};

} // namespace geotrain
