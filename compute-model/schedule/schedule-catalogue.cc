#include "schedule/schedule-catalogue.h"

#include "schedule/atlas.h"
#include "schedule/cross-dc.h"
#include "schedule/dualpipe-v.h"
#include "schedule/gpipe.h"
#include "schedule/interleaved.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/pipedream-2bw.h"
#include "schedule/pipemare.h"
#include "schedule/varuna.h"
#include "schedule/zb-1p.h"
#include "schedule/zb-2p.h"
#include "schedule/zb-h1.h"
#include "schedule/zb-h2.h"
#include "schedule/zb-v.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

void
CheckShape(const ScheduleEntry& entry, const ScheduleRequest& request)
{
    if (request.stages == 0 || request.microbatches == 0 || request.virtualStages == 0)
    {
        throw std::invalid_argument("a pipeline has at least 1 worker, microbatch and stage");
    }
    if (request.virtualStages > 1 && entry.layout == StageLayout::OneEach)
    {
        throw std::invalid_argument(entry.name + " has no virtual stages: they must be 1, not " +
                                    std::to_string(request.virtualStages));
    }
    if (request.virtualStages > 2 && entry.layout == StageLayout::Wave)
    {
        throw std::invalid_argument(entry.name + " has 2 virtual stages a worker, not " +
                                    std::to_string(request.virtualStages));
    }
    if (request.cellSize > 1 && !entry.knowsTurns)
    {
        throw std::invalid_argument(entry.name + " plans no turns of a cell: only atlas does");
    }
}

void
CheckCap(const ScheduleEntry& entry, const ScheduleRequest& request, const ScheduleOrder& order)
{
    for (std::size_t worker = 0; request.memoryCap && worker < order.activationCap.size(); ++worker)
    {
        if (order.activationCap[worker] > *request.memoryCap)
        {
            throw std::invalid_argument(
                entry.name + " holds " + std::to_string(order.activationCap[worker]) +
                " activations on worker " + std::to_string(worker) +
                ", more than the memory cap of " + std::to_string(*request.memoryCap));
        }
    }
}

} // namespace

const std::vector<ScheduleEntry>&
ScheduleCatalogue()
{
    static const std::vector<ScheduleEntry> entries = {
        {"gpipe",
         "all forwards, then all backwards; holds every microbatch's activations",
         "Huang et al., NeurIPS'19, section 2.3",
         &GPipe},
        {"1f1b",
         "one forward, one backward in turn; warmup_factor deepens the warm-up",
         "Narayanan et al., SC'21, section 2.2.1",
         &OneForwardOneBackward},
        {"interleaved",
         "1F1B over v virtual stages a worker: a v-th of the bubble, v times the hops",
         "Narayanan et al., SC'21, section 2.2.2",
         &Interleaved,
         StageLayout::RoundRobin},
        {"varuna",
         "backwards first, recomputation just in time, forwards up to the cap; deviates where a "
         "gradient is late",
         "Athlur et al., EuroSys'22, section 4.1",
         &Varuna},
        {"atlas",
         "Varuna's rules with WAN transfer times and the turns of a DP-cell known, deeper warm-up",
         "arXiv 2411.14458",
         &Atlas,
         StageLayout::OneEach,
         true},
        {"pipedream-2bw",
         "1F1B without flush, weights one update late; two versions of the weights",
         "Narayanan et al., ICML'21, section 3.1",
         &PipeDream2Bw},
        {"pipemare",
         "no flush, latest weights; forward weights up to (2p-1)/m updates old",
         "Yang et al., MLSys'21, section 2",
         &PipeMare},
        {"zb-h1",
         "1F1B with weight gradients apart: a third of its bubble, its memory",
         "Qi et al., ICLR'24, section 2.1",
         &ZbH1,
         StageLayout::RoundRobin},
        {"zb-h2",
         "deeper warm-up, weight gradients only when idle: 2p-1 activations",
         "Qi et al., ICLR'24, section 2.2",
         &ZbH2},
        {"zb-1p",
         "searched order of F, B and W with p activations",
         "Qi et al., ICLR'24, section 4",
         &Zb1p,
         StageLayout::RoundRobin},
        {"zb-2p",
         "searched order of F, B and W with 2p activations",
         "Qi et al., ICLR'24, section 4",
         &Zb2p,
         StageLayout::RoundRobin},
        {"zb-v",
         "searched order over two chunks a worker, down and up: no bubble with p activations",
         "Qi et al., arXiv 2401.10241, section 6",
         &ZbV,
         StageLayout::Wave},
        {"dualpipe-v",
         "two chunks a worker down and up, overlapped forward and backward blocks; m >= 2p",
         "DeepSeek-AI, DualPipe, 2025; DeepSeek-V3, arXiv 2412.19437, section 3.2.1",
         &DualPipeV,
         StageLayout::Wave},
        {"cross-dc",
         "searched order of F, B and W that knows latency and occupancy of every hop, under a "
         "memory cap",
         "after Chen et al., CrossPipe, USENIX ATC'25, section 4",
         &CrossDc},
    };
    return entries;
}

std::vector<std::vector<std::uint32_t>>
StagesOfWorkers(const ScheduleEntry& entry, std::uint32_t workers, std::uint32_t virtualStages)
{
    if (entry.layout == StageLayout::Wave)
    {
        return WaveStages(workers);
    }
    return virtualStages > 1 ? RoundRobinStages(workers, virtualStages)
                             : std::vector<std::vector<std::uint32_t>>();
}

ScheduleOrder
MakeSchedule(const ScheduleEntry& entry, const ScheduleRequest& request)
{
    CheckShape(entry, request);
    ScheduleOrder order = entry.make(request);
    CheckCap(entry, request, order);
    return order;
}

const ScheduleEntry*
FindSchedule(const std::string& name)
{
    for (const ScheduleEntry& entry : ScheduleCatalogue())
    {
        if (entry.name == name)
        {
            return &entry;
        }
    }
    return nullptr;
}

} // namespace geotrain
