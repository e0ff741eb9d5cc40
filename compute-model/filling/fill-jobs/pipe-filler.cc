// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/pipe-filler.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

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
        m_recordOfJob[job.number] = m_records.size();
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
    idle.next = 0;
    ResetBudgets(worker);
    const std::uint32_t iteration = m_host.Forecast().IterationOf(worker);
    if (idle.iteration == iteration)
    {
        return;
    }
    idle.iteration = iteration;
    idle.nextComputation = 0;
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
    for (const StreamBubble& bubble : idle.bubbles)
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
        FillSoon(assignment->gpu);
    }
}

void
PipeFiller::Assign(std::size_t record, std::uint32_t index)
{
    Slot& slot = m_slots[index];
    const FillJob& job = m_records[record].job;
    slot.record = record;
    slot.program = ChooseProgram(job, m_workers[slot.worker].gpuClass)->program;
    slot.segment = 0;
    slot.segmentsLeft = PassesOf(*slot.program, job.samples) * slot.program->Segments().size();
    slot.pieces = 0;
    m_records[record].worker = slot.worker;
    m_records[record].gpu = slot.gpu;
}

void
PipeFiller::Finish(std::uint32_t index, Instant now)
{
    Slot& slot = m_slots[index];
    m_records[*slot.record].end = now;
    slot.record.reset();
    if (const auto next = m_scheduler->Release(index))
    {
        Assign(m_recordOfJob.at(*next), index);
    }
}

void
PipeFiller::OnIdle(WorkerIndex worker, Instant now)
{
    for (std::uint32_t gpu = 0; gpu < m_workers[worker].gpus; ++gpu)
    {
        Fill(m_firstSlot[worker] + gpu, now);
    }
}

void
PipeFiller::OnBusy(WorkerIndex worker, std::uint32_t position, Instant /*now*/)
{
    Idle& idle = m_idle[worker];
    idle.nextComputation = position + 1;
    while (idle.next < idle.bubbles.size() && idle.bubbles[idle.next].endsWith <= position)
    {
        ++idle.next;
        ResetBudgets(worker);
    }
}

void
PipeFiller::ResetBudgets(WorkerIndex worker)
{
    for (std::uint32_t gpu = 0; gpu < m_workers[worker].gpus; ++gpu)
    {
        m_slots[m_firstSlot[worker] + gpu].budget.reset();
    }
}

std::uint32_t
PipeFiller::SlotOf(const FillWork& work) const
{
    return m_firstSlot[work.worker] + work.gpu.value();
}

/// Fills after everything else of this instant that is known by then: training comes first.
void
PipeFiller::FillSoon(std::uint32_t slot)
{
    m_host.GetClock().Schedule(m_host.GetClock().Now(),
                               [this, slot]
                               {
                                   if (m_host.IsFree(m_slots[slot].worker, m_slots[slot].gpu))
                                   {
                                       Fill(slot, m_host.GetClock().Now());
                                   }
                               });
}

/// Returns the bubble that `worker` is in while training leaves it idle. Returns null in a gap that
/// was not forecast and may end at any time.
const StreamBubble*
PipeFiller::BubbleOf(WorkerIndex worker, Instant now) const
{
    const Idle& idle = m_idle[worker];
    if (idle.next == idle.bubbles.size())
    {
        return nullptr;
    }
    const StreamBubble& bubble = idle.bubbles[idle.next];
    return bubble.end > now && bubble.endsWith <= idle.nextComputation ? &bubble : nullptr;
}

void
PipeFiller::Fill(std::uint32_t index, Instant now)
{
    Slot& slot = m_slots[index];
    const StreamBubble* bubble = BubbleOf(slot.worker, now);
    if (!slot.record || slot.running || bubble == nullptr)
    {
        return;
    }
    FillRoom room = RoomOf({bubble->end - now, bubble->freeMemory}, m_options.costs);
    room.compute = slot.budget.value_or(room.compute);
    slot.budget = room.compute;
    const auto piece =
        PackBubble(*slot.program, slot.segment, slot.segmentsLeft, room, m_idle[slot.worker].gpu);
    if (!piece)
    {
        return;
    }
    slot.running = piece;
    FillJobRecord& record = m_records[*slot.record];
    record.start = record.start.value_or(now);
    const Bytes training = m_host.Forecast().MemoryOf(slot.worker).capacity - bubble->freeMemory;
    m_peakMemory = std::max(m_peakMemory, training + piece->memory - piece->offloaded);
    m_host.Start(*this,
                 {slot.worker,
                  FillKind::FillJob,
                  record.job.number,
                  slot.pieces++,
                  piece->Total(),
                  slot.gpu});
}

/// Returns what is done of a piece; `onGpu` is how long the piece was there.
FillPiece
PipeFiller::DoneIn(const Slot& slot, Duration onGpu, bool isPreempted) const
{
    if (!isPreempted)
    {
        return *slot.running;
    }
    if (slot.computesUntil) // and it was switched out then
    {
        FillGpu keepsAll = m_idle[slot.worker].gpu;
        keepsAll.alwaysFree = Bytes::Of(INT64_MAX);
        return DoneOf(*slot.program, slot.segment, *slot.running, *slot.computesUntil, keepsAll);
    }
    const Duration computed =
        std::clamp(onGpu - slot.running->before, Duration(), slot.running->compute);
    return DoneOf(*slot.program, slot.segment, *slot.running, computed, m_idle[slot.worker].gpu);
}

FillYield
PipeFiller::OnEnd(const FillWork& work, const FillEnd& end)
{
    const std::uint32_t index = SlotOf(work);
    Slot& slot = m_slots[index];
    const FillPiece done = DoneIn(slot, end.end - end.start, end.isPreempted);
    const FillYield yield{done.compute, done.work.Count()};
    slot.segment =
        static_cast<std::size_t>((slot.segment + done.segments) % slot.program->Segments().size());
    slot.segmentsLeft -= done.segments;
    slot.budget = std::max(Duration(), slot.budget.value_or(Duration()) - slot.running->compute);
    slot.running.reset();
    slot.computesUntil.reset();
    m_records[*slot.record].flops += yield.flops;
    if (slot.segmentsLeft == 0)
    {
        Finish(index, end.end);
    }
    return yield;
}

TrainingWait
PipeFiller::WaitFor(const FillWork& work, Instant start, Instant ready)
{
    Slot& slot = m_slots[SlotOf(work)];
    const TrainingWait stopped{Duration(), slot.running->restore};
    const Duration onGpu = ready - start;
    const Duration computed = onGpu - slot.running->before;
    if (computed < Duration() || m_options.longestHold == Duration())
    {
        return stopped;
    }
    Duration hold = work.length - onGpu;
    if (computed < slot.running->compute)
    {
        const Duration rest = RestOfSegment(*slot.program, slot.segment, computed);
        slot.computesUntil = computed + rest;
        hold = rest + slot.running->after;
    }
    if (hold > m_options.longestHold)
    {
        slot.computesUntil.reset();
        return stopped;
    }
    return hold > Duration() ? TrainingWait{hold, Duration()} : stopped;
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

/// Names the shortage on the GPUs and with the batch size that come nearest to what the job needs.
std::string
PipeFiller::ReasonOf(const FillJob& job) const
{
    std::optional<FillRefusal> nearest;
    for (const WorkerIndex worker : m_workerOfClass)
    {
        for (const auto& program : job.programs)
        {
            if (!program->IsFor(m_workers[worker].gpu))
            {
                continue;
            }
            auto misfit = FindMisfit(*program, m_idle[worker].gpu);
            if (misfit && (!nearest || misfit->shortage < nearest->shortage))
            {
                nearest = std::move(misfit);
            }
        }
    }
    return nearest ? nearest->reason : std::string("it has no program");
}

} // namespace geotrain
