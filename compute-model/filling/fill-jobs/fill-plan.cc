// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

Duration
TransferTime(Bytes size, BitRate rate)
{
    return Duration::Seconds(8 * static_cast<double>(size.Count()) /
                             static_cast<double>(rate.ToBitsPerSecond()));
}

Duration
Fraction(Duration span, double fraction)
{
    return Duration::Nanoseconds(
        static_cast<std::int64_t>(static_cast<double>(span.ToNanoseconds()) * fraction));
}

Duration
SwitchTime(Bytes held, const FillGpu& gpu)
{
    const Duration move =
        held <= gpu.alwaysFree ? Duration() : TransferTime(held, gpu.costs.pcieRate);
    return gpu.costs.contextSwitch + move;
}

/// Returns what the job holds when it pauses before `segment`. A job that begins brings what its
/// pass holds at its end.
Bytes
HeldBefore(const FillProgram& program, std::size_t segment)
{
    const auto& segments = program.Segments();
    return segments[(segment + segments.size() - 1) % segments.size()].held;
}

/// Packs one segment after the other, and whole passes at once where there is room for them.
class Packer
{
  public:
    /// `offloaded` of the main job's state makes room meanwhile.
    Packer(const FillProgram& program,
           const FillPosition& at,
           const FillRoom& room,
           Bytes offloaded,
           const FillGpu& gpu)
        : m_program(program),
          m_segment(at.segment),
          m_into(at.into),
          m_room(room),
          m_memory(room.memory + offloaded),
          m_move(TransferTime(offloaded, gpu.costs.pcieRate)),
          m_gpu(gpu)
    {
        m_piece.offloaded = offloaded;
        m_piece.restore = m_move;
        m_piece.before = SwitchTime(HeldBefore(program, m_segment), gpu) + m_move;
        m_piece.compute = Duration() - m_into;
    }

    std::optional<FillPiece> Pack(std::uint64_t left)
    {
        PackPasses(left);
        const auto& segments = m_program.Segments();
        for (std::uint64_t more = 0; more < left; ++more)
        {
            const FillSegment& next = segments[m_segment];
            if (next.memory > m_memory || m_piece.compute + next.duration > m_room.compute)
            {
                break;
            }
            Add(next);
            m_segment = (m_segment + 1) % segments.size();
            KeepIfItFits(next.held);
        }
        return m_best;
    }

  private:
    /// Takes as many whole passes as surely fit; what is left of the bubble is packed segment by
    /// segment.
    void PackPasses(std::uint64_t& left)
    {
        if (m_program.PeakMemory() > m_memory)
        {
            return;
        }
        const Bytes held = HeldBefore(m_program, m_segment);
        const Duration forCompute = std::min(
            m_room.compute, m_room.total - m_piece.before - m_move - SwitchTime(held, m_gpu));
        const std::int64_t fit = std::max<std::int64_t>(
            0, (forCompute + m_into).ToNanoseconds() / m_program.PassDuration().ToNanoseconds());
        const std::uint64_t segments = m_program.Segments().size();
        const std::uint64_t passes = std::min(static_cast<std::uint64_t>(fit), left / segments);
        if (passes == 0)
        {
            return;
        }
        left -= passes * segments;
        m_piece.segments = passes * segments;
        m_piece.compute += m_program.PassDuration() * static_cast<std::int64_t>(passes);
        m_piece.memory = m_program.PeakMemory();
        m_piece.work = m_program.PassWork() * static_cast<double>(passes);
        KeepIfItFits(held);
    }

    void Add(const FillSegment& segment)
    {
        ++m_piece.segments;
        m_piece.compute += segment.duration;
        m_piece.memory = std::max(m_piece.memory, segment.memory);
        m_piece.work = m_piece.work + segment.work;
    }

    void KeepIfItFits(Bytes held)
    {
        m_piece.after = m_move + SwitchTime(held, m_gpu);
        if (m_piece.Total() <= m_room.total)
        {
            m_best = m_piece;
        }
    }

    const FillProgram& m_program;
    std::size_t m_segment;
    Duration m_into; ///< computed of the first segment
    const FillRoom& m_room;
    Bytes m_memory;
    Duration m_move; ///< time to move the main job's state one way
    const FillGpu& m_gpu;
    FillPiece m_piece;
    std::optional<FillPiece> m_best;
};

std::string
Describe(const FillProgram& program, const FillSegment& segment)
{
    const auto& operators = program.Operators();
    const std::string& first = operators[segment.firstOperator].name;
    const std::string& last = operators[segment.firstOperator + segment.operators - 1].name;
    return segment.operators == 1
               ? fmt::format("operator \"{}\" of {} needs", first, program.Name())
               : fmt::format("operators \"{}\" to \"{}\" of {}, between which it can't pause, need",
                             first,
                             last,
                             program.Name());
}

std::string
TimeText(Duration time)
{
    const double seconds = time.ToSeconds();
    constexpr double roundsToThousand = 999.5; // three digits would round it to 1e+03
    if (seconds * 1e3 < roundsToThousand)
    {
        return fmt::format("{:.3g} ms", seconds * 1e3);
    }
    return seconds < roundsToThousand ? fmt::format("{:.3g} s", seconds)
                                      : fmt::format("{:.0f} s", seconds);
}

FillRefusal
Refuse(const FillProgram& program, std::size_t index, const FillGpu& gpu)
{
    const FillSegment& segment = program.Segments()[index];
    const Bytes offloaded = gpu.costs.offloadsOptimizerState ? gpu.offloadable : Bytes();
    Duration longest;
    Bytes roomiest;
    for (const FillBubble& bubble : gpu.cycle)
    {
        longest = std::max(longest, Fraction(bubble.length, gpu.costs.fillFraction));
        roomiest = std::max(roomiest, bubble.freeMemory + offloaded);
    }
    const double time = segment.duration.ToSeconds() / std::max(longest.ToSeconds(), 1e-9);
    const double memory = static_cast<double>(segment.memory.Count()) /
                          std::max(static_cast<double>(roomiest.Count()), 1.0);
    constexpr double giga = 1e9;
    return {fmt::format("{} {} and {:.3g} GB, and switching {}; what fits is at most {} in the "
                        "longest of {} bubbles, and {:.3g} GB in the roomiest",
                        Describe(program, segment),
                        TimeText(segment.duration),
                        static_cast<double>(segment.memory.Count()) / giga,
                        TimeText(SwitchTime(HeldBefore(program, index), gpu) +
                                 SwitchTime(segment.held, gpu)),
                        TimeText(longest),
                        gpu.cycle.size(),
                        static_cast<double>(roomiest.Count()) / giga),
            std::max({time, memory, 1.0})};
}

} // namespace

FillRoom
RoomOf(const FillBubble& bubble, const FillCosts& costs)
{
    return {Fraction(bubble.length, costs.fillFraction), bubble.length, bubble.freeMemory};
}

std::optional<FillPiece>
PackBubble(const FillProgram& program,
           const FillPosition& at,
           std::uint64_t left,
           const FillRoom& room,
           const FillGpu& gpu)
{
    auto best = Packer(program, at, room, Bytes(), gpu).Pack(left);
    if (gpu.costs.offloadsOptimizerState && gpu.offloadable > Bytes())
    {
        const auto other = Packer(program, at, room, gpu.offloadable, gpu).Pack(left);
        if (other && (!best || other->segments > best->segments))
        {
            return other;
        }
    }
    return best;
}

FillPiece
DoneOf(const FillProgram& program,
       const FillPosition& at,
       const FillPiece& piece,
       Duration computed,
       const FillGpu& gpu)
{
    const auto& segments = program.Segments();
    const Duration reached = at.into + computed; // since the first segment began
    std::size_t segment = at.segment;
    FillPiece done;
    const std::uint64_t passes =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(reached.ToNanoseconds() /
                                                           program.PassDuration().ToNanoseconds()),
                                piece.segments / segments.size());
    done.segments = passes * segments.size();
    done.work = program.PassWork() * static_cast<double>(passes);
    Duration whole = program.PassDuration() * static_cast<std::int64_t>(passes);
    Bytes held = HeldBefore(program, segment);
    while (done.segments < piece.segments && whole + segments[segment].duration <= reached)
    {
        ++done.segments;
        whole += segments[segment].duration;
        done.work = done.work + segments[segment].work;
        held = segments[segment].held;
        segment = (segment + 1) % segments.size();
    }
    if (gpu.costs.preemption != Preemption::Restart && whole < reached &&
        segments[segment].memory <= gpu.alwaysFree)
    {
        done.into = reached - whole;
        done.compute = computed;
        return done;
    }
    if (held > gpu.alwaysFree)
    {
        FillPiece nothing;
        nothing.into = at.into;
        return nothing;
    }
    done.compute = whole - at.into;
    return done;
}

Duration
RestOfKernel(const FillProgram& program, const FillPosition& at, Duration computed)
{
    const auto& operators = program.Operators();
    std::size_t next = program.Segments()[at.segment].firstOperator;
    std::int64_t into =
        (at.into + computed).ToNanoseconds() % program.PassDuration().ToNanoseconds();
    while (into >= operators[next].duration.ToNanoseconds())
    {
        into -= operators[next].duration.ToNanoseconds();
        next = (next + 1) % operators.size();
    }
    const std::int64_t length = operators[next].duration.ToNanoseconds();
    const std::int64_t kernels = operators[next].kernels;
    const std::int64_t kernel = into * kernels / length;
    const bool isBetween = into == length * kernel / kernels;
    return Duration::Nanoseconds(isBetween ? 0 : length * (kernel + 1) / kernels - into);
}

std::optional<FillRefusal>
FindMisfit(const FillProgram& program, const FillGpu& gpu)
{
    for (std::size_t segment = 0; segment < program.Segments().size(); ++segment)
    {
        const bool fits = std::any_of(
            gpu.cycle.begin(),
            gpu.cycle.end(),
            [&](const FillBubble& bubble)
            {
                return PackBubble(program, {segment, Duration()}, 1, RoomOf(bubble, gpu.costs), gpu)
                    .has_value();
            });
        if (!fits)
        {
            return Refuse(program, segment, gpu);
        }
    }
    return std::nullopt;
}

Duration
FillPlan::TimeOf(std::uint64_t passes, const FillProgram& program) const
{
    const double wanted =
        static_cast<double>(passes) * static_cast<double>(program.Segments().size());
    const double rounds = wanted / static_cast<double>(segments);
    return Duration::Seconds(rounds * static_cast<double>(iterations) * period.ToSeconds());
}

std::optional<FillPlan>
PlanFill(const FillProgram& program, const FillGpu& gpu)
{
    if (FindMisfit(program, gpu))
    {
        return std::nullopt;
    }
    const std::uint64_t segments = program.Segments().size();
    const std::uint64_t endless = std::uint64_t{1} << 40U;
    constexpr std::uint64_t mostSteps = 2000000; // some ten milliseconds
    std::uint64_t steps = 0;
    // Each iteration begins at some segment. Once one comes again, everything repeats.
    std::vector<std::size_t> pieceOfStart(segments, SIZE_MAX);
    std::vector<FillPiece> pieces;
    std::size_t at = 0;
    while (pieceOfStart[at] == SIZE_MAX && steps < mostSteps)
    {
        pieceOfStart[at] = pieces.size();
        for (const FillBubble& bubble : gpu.cycle)
        {
            pieces.push_back(
                PackBubble(program, {at, Duration()}, endless, RoomOf(bubble, gpu.costs), gpu)
                    .value_or(FillPiece()));
            at = static_cast<std::size_t>((at + pieces.back().segments) % segments);
            steps += pieces.back().segments % segments; // whole passes are packed at once
        }
    }
    const std::size_t first = pieceOfStart[at] == SIZE_MAX ? 0 : pieceOfStart[at];
    FillPlan plan;
    plan.period = gpu.period;
    plan.pieces.assign(pieces.begin() + static_cast<std::ptrdiff_t>(first), pieces.end());
    plan.iterations = plan.pieces.size() / gpu.cycle.size();
    for (const FillPiece& piece : plan.pieces)
    {
        plan.segments += piece.segments;
    }
    return plan;
}

} // namespace geotrain
