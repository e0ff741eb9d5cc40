#include "bubbles/pipe-filler.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
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
      m_slots(m_workers.size())
{
    for (FillJob& job : jobs)
    {
        m_recordOfJob[job.number] = m_records.size();
        m_records.emplace_back();
        m_records.back().job = std::move(job);
    }
    for (WorkerIndex worker = 0; worker < m_workers.size(); ++worker)
    {
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
PipeFiller::OnForecast(WorkerIndex worker, const std::vector<Bubble>& bubbles)
{
    Slot& slot = m_slots[worker];
    slot.bubbles.clear(); // only of this iteration: the next one's are told again
    std::copy_if(bubbles.begin(),
                 bubbles.end(),
                 std::back_inserter(slot.bubbles),
                 [](const Bubble& bubble) { return bubble.iterationsAhead == 0; });
    slot.nextBubble = 0;
    slot.nextComputation = 0;
    slot.budget.reset();
    ++slot.forecasts;
    constexpr std::uint32_t profiling = 2; // the forecast after the first iteration
    if (slot.forecasts == profiling)
    {
        Profile(worker);
    }
}

void
PipeFiller::Profile(WorkerIndex worker)
{
    Slot& slot = m_slots[worker];
    slot.gpu.period = m_host.GetClock().Now() - Instant();
    slot.gpu.alwaysFree = AlwaysFree(m_host.Forecast().MemoryOf(worker));
    slot.gpu.offloadable = m_workers[worker].offloadable;
    for (const Bubble& bubble : slot.bubbles)
    {
        slot.gpu.cycle.push_back({bubble.Length(), bubble.freeMemory});
    }
    if (++m_profiled == m_slots.size())
    {
        BeginScheduling();
    }
}

void
PipeFiller::BeginScheduling()
{
    std::vector<std::uint32_t> classes;
    for (const FillWorker& worker : m_workers)
    {
        classes.push_back(worker.gpuClass);
    }
    m_scheduler.emplace(
        m_options.policy,
        [this](const FillJob& job, std::uint32_t gpuClass) { return TimeOf(job, gpuClass); },
        std::move(classes));
    ArriveNext();
}

/// All that have arrived by now, then an event for the next one.
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
        m_host.GetClock().Stop();
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
PipeFiller::Assign(std::size_t record, WorkerIndex worker)
{
    Slot& slot = m_slots[worker];
    const FillJob& job = m_records[record].job;
    slot.record = record;
    slot.program = BestProgram(job, m_workers[worker].gpuClass);
    slot.segment = 0;
    slot.segmentsLeft = PassesOf(*slot.program, job.samples) * slot.program->Segments().size();
    slot.pieces = 0;
    m_records[record].worker = worker;
}

void
PipeFiller::Finish(WorkerIndex worker, Instant now)
{
    Slot& slot = m_slots[worker];
    m_records[*slot.record].end = now;
    slot.record.reset();
    if (const auto next = m_scheduler->Release(worker))
    {
        Assign(m_recordOfJob.at(next->number), worker);
    }
}

void
PipeFiller::OnIdle(WorkerIndex worker, Instant now)
{
    Fill(worker, now);
}

void
PipeFiller::OnBusy(WorkerIndex worker, std::uint32_t position, Instant /*now*/)
{
    Slot& slot = m_slots[worker];
    slot.nextComputation = position + 1;
    while (slot.nextBubble < slot.bubbles.size() &&
           slot.bubbles[slot.nextBubble].endsWith <= position)
    {
        ++slot.nextBubble;
        slot.budget.reset();
    }
}

/// After everything else of this instant that is known now: training comes first.
void
PipeFiller::FillSoon(WorkerIndex worker)
{
    m_host.GetClock().Schedule(m_host.GetClock().Now(),
                               [this, worker]
                               {
                                   if (m_host.IsFree(worker))
                                   {
                                       Fill(worker, m_host.GetClock().Now());
                                   }
                               });
}

void
PipeFiller::Fill(WorkerIndex worker, Instant now)
{
    Slot& slot = m_slots[worker];
    if (!slot.record || slot.running)
    {
        return;
    }
    if (slot.nextBubble == slot.bubbles.size() || slot.bubbles[slot.nextBubble].end <= now)
    {
        return;
    }
    const Bubble& bubble = slot.bubbles[slot.nextBubble];
    if (bubble.endsWith > slot.nextComputation)
    {
        return; // this gap was not forecast, and may end at any time
    }
    FillRoom room = RoomOf({bubble.end - now, bubble.freeMemory}, m_options.costs);
    room.compute = slot.budget.value_or(room.compute);
    slot.budget = room.compute;
    const auto piece =
        PackBubble(*slot.program, slot.segment, slot.segmentsLeft, room, slot.gpu, m_options.costs);
    if (!piece)
    {
        return;
    }
    slot.running = piece;
    FillJobRecord& record = m_records[*slot.record];
    record.start = record.start.value_or(now);
    const Bytes training = m_host.Forecast().MemoryOf(worker).capacity - bubble.freeMemory;
    m_peakMemory = std::max(m_peakMemory, training + piece->memory - piece->offloaded);
    m_host.Start(*this,
                 {worker, FillKind::FillJob, record.job.number, slot.pieces++, piece->Total()});
}

/// `onGpu` is how long the piece was there.
FillPiece
PipeFiller::DoneIn(const Slot& slot, Duration onGpu, bool isPreempted) const
{
    if (!isPreempted)
    {
        return *slot.running;
    }
    if (slot.computesUntil) // and it was switched out then
    {
        FillGpu keepsAll = slot.gpu;
        keepsAll.alwaysFree = Bytes::Of(INT64_MAX);
        return DoneOf(*slot.program, slot.segment, *slot.running, *slot.computesUntil, keepsAll);
    }
    const Duration computed =
        std::clamp(onGpu - slot.running->before, Duration(), slot.running->compute);
    return DoneOf(*slot.program, slot.segment, *slot.running, computed, slot.gpu);
}

FillYield
PipeFiller::OnEnd(const FillWork& work, const FillEnd& end)
{
    Slot& slot = m_slots[work.worker];
    const FillPiece done = DoneIn(slot, end.end - end.start, end.isPreempted);
    const FillYield yield{done.compute, done.work.Count() * m_workers[work.worker].gpus};
    slot.segment =
        static_cast<std::size_t>((slot.segment + done.segments) % slot.program->Segments().size());
    slot.segmentsLeft -= done.segments;
    slot.budget = std::max(Duration(), slot.budget.value_or(Duration()) - slot.running->compute);
    slot.running.reset();
    slot.computesUntil.reset();
    m_records[*slot.record].flops += yield.flops;
    if (slot.segmentsLeft == 0)
    {
        Finish(work.worker, end.end);
    }
    return yield;
}

Duration
PipeFiller::HoldTraining(const FillWork& work, Instant start, Instant ready)
{
    Slot& slot = m_slots[work.worker];
    const Duration onGpu = ready - start;
    const Duration computed = onGpu - slot.running->before;
    if (computed < Duration() || m_options.longestHold == Duration())
    {
        return Duration();
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
        return Duration();
    }
    return hold;
}

Duration
PipeFiller::PreemptionCost(const FillWork& work) const
{
    const auto& running = m_slots[work.worker].running;
    return running ? running->restore : Duration();
}

std::optional<Duration>
PipeFiller::TimeOf(const FillJob& job, std::uint32_t gpuClass)
{
    const FillProgram* program = BestProgram(job, gpuClass);
    if (program == nullptr)
    {
        return std::nullopt;
    }
    return PlanOf(*program, gpuClass)->TimeOf(PassesOf(*program, job.samples), *program);
}

const std::optional<FillPlan>&
PipeFiller::PlanOf(const FillProgram& program, std::uint32_t gpuClass)
{
    const auto [found, isNew] = m_plans.try_emplace({&program, gpuClass});
    if (isNew)
    {
        const FillGpu& gpu = m_slots[m_workerOfClass[gpuClass]].gpu;
        if (!FindMisfit(program, gpu, m_options.costs))
        {
            found->second = PlanFill(program, gpu, m_options.costs);
        }
    }
    return found->second;
}

/// The batch size that ends first; of equal ones the smaller. Null if none fits.
const FillProgram*
PipeFiller::BestProgram(const FillJob& job, std::uint32_t gpuClass)
{
    const FillProgram* best = nullptr;
    std::optional<Duration> shortest;
    for (const auto& program : job.programs)
    {
        const auto& plan = PlanOf(*program, gpuClass);
        if (!plan)
        {
            continue;
        }
        const Duration time = plan->TimeOf(PassesOf(*program, job.samples), *program);
        if (!shortest || time < *shortest)
        {
            shortest = time;
            best = program.get();
        }
    }
    return best;
}

/// Of the GPUs and the batch size that come nearest to what the job needs.
std::string
PipeFiller::ReasonOf(const FillJob& job) const
{
    std::optional<FillRefusal> nearest;
    for (const WorkerIndex worker : m_workerOfClass)
    {
        for (const auto& program : job.programs)
        {
            auto misfit = FindMisfit(*program, m_slots[worker].gpu, m_options.costs);
            if (misfit && (!nearest || misfit->shortage < nearest->shortage))
            {
                nearest = std::move(misfit);
            }
        }
    }
    return nearest ? nearest->reason : std::string("it has no program");
}

} // namespace geotrain
