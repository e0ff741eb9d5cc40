// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/pipe-filler.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns the rank of a GPU's job: behind requests and offline prefills.
WorkRank
RankOf(std::uint32_t gpu)
{
    return {Instant::Never(), (std::uint64_t{3} << 62) + gpu};
}

} // namespace

PipeFiller::PipeFiller(FillHost& host,
                       std::vector<FillJob> jobs,
                       std::vector<FillWorker> workers,
                       PipeFillerOptions options)
    : m_host(host),
      m_workers(std::move(workers)),
      m_options(std::move(options)),
      m_idle(m_workers.size())
{
    for (FillJob& job : jobs)
    {
        m_records.emplace_back();
        m_records.back().job = std::move(job);
    }
    for (WorkerIndex worker = 0; worker < m_workers.size(); ++worker)
    {
        m_firstSlot.push_back(static_cast<std::uint32_t>(m_slots.size()));
        for (std::uint32_t gpu = 0; gpu < m_workers[worker].gpus; ++gpu)
        {
            m_slots.emplace_back();
            m_slots.back().worker = worker;
            m_slots.back().gpu = gpu;
        }
        const std::uint32_t gpuClass = m_workers[worker].gpuClass;
        if (gpuClass >= m_workerOfClass.size())
        {
            m_workerOfClass.resize(gpuClass + 1, worker);
        }
    }
}

const std::vector<FillJobRecord>&
PipeFiller::Records() const
{
    return m_records;
}

const std::string&
PipeFiller::Failure() const
{
    return m_failure;
}

Bytes
PipeFiller::PeakMemory() const
{
    return m_peakMemory;
}

void
PipeFiller::OnForecast(WorkerIndex worker, const std::vector<Bubble>& /*bubbles*/)
{
    Idle& idle = m_idle[worker];
    idle.bubbles = m_host.MarkedBubbles(worker);
    for (std::uint32_t gpu = 0; gpu < m_workers[worker].gpus; ++gpu)
    {
        m_slots[m_firstSlot[worker] + gpu].budget.reset();
    }
    const std::uint32_t iteration = m_host.Forecast().IterationOf(worker);
    if (idle.iteration == iteration)
    {
        return;
    }
    idle.iteration = iteration;
    constexpr std::uint32_t profiling = 1; // the iteration after the first
    if (iteration == profiling)
    {
        Profile(worker);
    }
}

void
PipeFiller::Profile(WorkerIndex worker)
{
    Idle& idle = m_idle[worker];
    idle.gpu.period = m_host.Forecast().LengthOf(worker);
    idle.gpu.alwaysFree = AlwaysFree(m_host.Forecast().MemoryOf(worker));
    idle.gpu.offloadable = m_workers[worker].offloadable;
    idle.gpu.costs = m_options.costs;
    for (const Bubble& bubble : idle.bubbles)
    {
        idle.gpu.cycle.push_back({bubble.end - bubble.start, bubble.freeMemory});
    }
    if (++m_profiled == m_idle.size())
    {
        BeginScheduling();
    }
}

void
PipeFiller::BeginScheduling()
{
    std::vector<std::uint32_t> classes;
    for (const Slot& slot : m_slots)
    {
        classes.push_back(m_workers[slot.worker].gpuClass);
    }
    m_scheduler.emplace(
        m_options.policy,
        [this](const FillJob& job, std::uint32_t gpuClass)
        {
            const auto choice = ChooseProgram(job, gpuClass);
            return choice ? std::optional(choice->time) : std::nullopt;
        },
        std::move(classes));
    ArriveNext();
}

/// Takes all jobs that have arrived by this instant, then schedules an event for the next one.
void
PipeFiller::ArriveNext()
{
    const Instant now = m_host.GetClock().Now();
    while (m_arrived < m_records.size() && m_records[m_arrived].job.arrival <= now)
    {
        Arrive(m_arrived++);
    }
    if (!m_records.empty() && m_refused == m_records.size())
    {
        m_failure = m_records.front().refused;
    }
    if (m_arrived < m_records.size())
    {
        m_host.GetClock().Schedule(m_records[m_arrived].job.arrival, [this] { ArriveNext(); });
    }
}

void
PipeFiller::Arrive(std::size_t record)
{
    std::optional<FillScheduler::Assignment> assignment;
    const auto outcome = m_scheduler->Arrive(m_records[record].job, assignment);
    if (outcome == FillScheduler::Arrival::Refused)
    {
        m_records[record].refused = ReasonOf(m_records[record].job);
        ++m_refused;
    }
    if (assignment)
    {
        Assign(record, assignment->gpu);
        m_host.StartSoon(m_slots[assignment->gpu].worker);
    }
}

void
PipeFiller::Assign(std::size_t record, std::uint32_t index)
{
    Slot& slot = m_slots[index];
    const FillJob& job = m_records[record].job;
    slot.record = record;
    slot.program = ChooseProgram(job, m_workers[slot.worker].gpuClass)->program;
    slot.at = {};
    slot.segmentsLeft = PassesOf(*slot.program, job.samples) * slot.program->Segments().size();
    slot.pieces = 0;
    m_records[record].worker = slot.worker;
    m_records[record].gpu = slot.gpu;
    FillWork work;
    work.worker = slot.worker;
    work.kind = FillKind::FillJob;
    work.job = job.number;
    work.gpu = slot.gpu;
    work.task = index;
    m_host.Queue(*this, RankOf(slot.gpu), work);
}

void
PipeFiller::Finish(std::uint32_t index, Instant now)
{
    Slot& slot = m_slots[index];
    m_records[*slot.record].end = now;
    slot.record.reset();
    m_host.Remove(slot.worker, RankOf(slot.gpu));
    if (const auto next = m_scheduler->Release(index))
    {
        Assign(*next - 1, index);
    }
}

/// Returns the bubble that `worker` is in while training leaves it idle. Returns null in a gap that
/// was not forecast and may end at any time.
const Bubble*
PipeFiller::BubbleOf(WorkerIndex worker, Instant now) const
{
    const auto& bubbles = m_idle[worker].bubbles;
    const auto found =
        std::find_if(bubbles.begin(),
                     bubbles.end(),
                     [position = m_host.Forecast().PositionOf(worker)](const Bubble& bubble)
                     { return bubble.endsWith == position; });
    return found != bubbles.end() && found->end > now ? &*found : nullptr;
}

Duration
PipeFiller::ToRun(FillWork& work)
{
    Slot& slot = m_slots[work.task];
    const Instant now = m_host.GetClock().Now();
    const Bubble* bubble = BubbleOf(slot.worker, now);
    if (bubble == nullptr)
    {
        return Duration();
    }
    FillRoom room = RoomOf({bubble->end - now, bubble->freeMemory}, m_options.costs);
    if (slot.budget && slot.budgetOf == bubble->endsWith)
    {
        room.compute = *slot.budget;
    }
    slot.budgetOf = bubble->endsWith;
    slot.budget = room.compute;
    slot.running =
        PackBubble(*slot.program, slot.at, slot.segmentsLeft, room, m_idle[slot.worker].gpu);
    if (!slot.running)
    {
        return Duration();
    }
    FillJobRecord& record = m_records[*slot.record];
    record.start = record.start.value_or(now);
    const Bytes training = m_host.Forecast().MemoryOf(slot.worker).capacity - bubble->freeMemory;
    m_peakMemory =
        std::max(m_peakMemory, training + slot.running->memory - slot.running->offloaded);
    work.part = slot.pieces++;
    return slot.running->Total();
}

FillYield
PipeFiller::OnEnd(const FillWork& work, const FillEnd& end)
{
    Slot& slot = m_slots[work.task];
    const FillPiece& piece = *slot.running;
    const Duration computed = std::clamp(end.computed - piece.before, Duration(), piece.compute);
    const FillPiece done =
        end.isPreempted ? DoneOf(*slot.program, slot.at, piece, computed, m_idle[slot.worker].gpu)
                        : piece;
    const FillYield yield{done.compute, done.work.Count()};
    slot.at = {static_cast<std::size_t>((slot.at.segment + done.segments) %
                                        slot.program->Segments().size()),
               done.into};
    slot.segmentsLeft -= done.segments;
    slot.budget = std::max(Duration(), slot.budget.value_or(Duration()) - piece.compute);
    slot.running.reset();
    m_records[*slot.record].flops += yield.flops;
    if (slot.segmentsLeft == 0)
    {
        Finish(work.task, end.end);
    }
    return yield;
}

/// Training waits for the kernel in progress, and for its own state that was moved to the CPU.
TrainingWait
PipeFiller::WaitFor(const FillWork& work, Duration ran) const
{
    const Slot& slot = m_slots[work.task];
    const FillPiece& piece = *slot.running;
    const Duration computed = ran - piece.before;
    TrainingWait wait{Duration(), piece.restore};
    if (m_options.costs.preemption != Preemption::Instant && computed > Duration() &&
        computed < piece.compute)
    {
        wait.work = RestOfKernel(*slot.program, slot.at, computed);
    }
    return wait;
}

const std::optional<FillPlan>&
PipeFiller::PlanOf(const FillProgram& program, std::uint32_t gpuClass)
{
    const auto [found, isNew] = m_plans.try_emplace({&program, gpuClass});
    if (isNew)
    {
        found->second = PlanFill(program, m_idle[m_workerOfClass[gpuClass]].gpu);
    }
    return found->second;
}

/// Returns the batch size that ends first; of equal ones the smaller. Returns none if none fits.
std::optional<PipeFiller::Choice>
PipeFiller::ChooseProgram(const FillJob& job, std::uint32_t gpuClass)
{
    std::optional<Choice> best;
    for (const auto& program : job.programs)
    {
        if (!program->IsFor(m_workers[m_workerOfClass[gpuClass]].gpu))
        {
            continue;
        }
        const auto& plan = PlanOf(*program, gpuClass);
        if (!plan)
        {
            continue;
        }
        const Duration time = plan->TimeOf(PassesOf(*program, job.samples), *program);
        if (!best || time < best->time)
        {
            best = {program.get(), time};
        }
    }
    return best;
}

const std::optional<FillRefusal>&
PipeFiller::MisfitOf(const FillProgram& program, std::uint32_t gpuClass)
{
    const auto [found, isNew] = m_misfits.try_emplace({&program, gpuClass});
    if (isNew)
    {
        found->second = FindMisfit(program, m_idle[m_workerOfClass[gpuClass]].gpu);
    }
    return found->second;
}

/// Names the shortage on the GPUs and with the batch size that come nearest to what the job needs.
std::string
PipeFiller::ReasonOf(const FillJob& job)
{
    std::optional<FillRefusal> nearest;
    for (std::uint32_t gpuClass = 0; gpuClass < m_workerOfClass.size(); ++gpuClass)
    {
        for (const auto& program : job.programs)
        {
            if (!program->IsFor(m_workers[m_workerOfClass[gpuClass]].gpu))
            {
                continue;
            }
            const auto& misfit = MisfitOf(*program, gpuClass);
            if (misfit && (!nearest || misfit->shortage < nearest->shortage))
            {
                nearest = misfit;
            }
        }
    }
    return nearest ? nearest->reason : std::string("it has no program");
}

} // namespace geotrain
