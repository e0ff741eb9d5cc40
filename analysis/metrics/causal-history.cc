// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/causal-history.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns whether `message` is the input of `work`.
bool
Feeds(const trace::MessageSpan& message, const trace::GpuSpan& work)
{
    const bool isForward = work.kind() == trace::GPU_WORK_FORWARD;
    const std::uint32_t sender = isForward ? work.stage() - 1 : work.stage() + 1;
    return message.microbatch() == work.microbatch() && message.iteration() == work.iteration() &&
           message.stage() == sender &&
           message.payload() == (isForward ? trace::PAYLOAD_ACTIVATION : trace::PAYLOAD_GRADIENT);
}

} // namespace

/// A Walk goes back from a position and collects its steps, the latest first.
class CausalHistory::Walk
{
  public:
    Walk(const CausalHistory& history, CausalPosition from, std::int64_t untilNs)
        : m_history(history),
          m_at(from),
          m_untilNs(untilNs)
    {
    }

    std::vector<CausalStep> Steps()
    {
        for (std::size_t left = m_history.m_mostSteps; left > 0 && m_at.atNs > m_untilNs; --left)
        {
            StepBack();
        }
        Wait(m_untilNs);
        std::reverse(m_steps.begin(), m_steps.end());
        return std::move(m_steps);
    }

  private:
    /// Adds the step from `startNs`, or from the walk's end, to the position's time, and moves the
    /// time back. `step` says all but the times and the worker.
    void GoTo(CausalStep step, std::int64_t startNs)
    {
        step.startNs = std::max(startNs, m_untilNs);
        step.endNs = m_at.atNs;
        step.worker = m_at.worker;
        if (step.startNs < step.endNs)
        {
            m_at.atNs = step.startNs;
            m_steps.push_back(step);
        }
    }

    void Wait(std::int64_t startNs)
    {
        GoTo({}, startNs);
    }

    void Compute(const trace::GpuSpan& work)
    {
        CausalStep step;
        step.kind = CauseKind::Compute;
        step.work = &work;
        GoTo(step, work.start_ns());
    }

    void StepBack()
    {
        const auto& spans = m_history.SpansOf(m_at.worker);
        if (m_at.nextSpan < spans.size() && spans[m_at.nextSpan].start_ns() < m_at.atNs)
        {
            Compute(spans[m_at.nextSpan]);
            return;
        }
        const trace::GpuSpan* work = m_at.nextSpan > 0 ? &spans[m_at.nextSpan - 1] : nullptr;
        const std::int64_t idleSinceNs = work != nullptr ? work->end_ns() : m_untilNs;
        if (work != nullptr && idleSinceNs >= m_at.atNs)
        {
            Compute(*work);
            --m_at.nextSpan;
            return;
        }
        const Join* join = m_history.CollectiveThatEnded(m_at, idleSinceNs);
        const auto* message = m_history.MessageThatEnded(m_at, idleSinceNs);
        if (join != nullptr)
        {
            Wait(join->span->ended_ns());
            PassCollective(*join);
        }
        else if (message != nullptr)
        {
            Wait(message->delivered_ns());
            PassMessage(*message);
        }
        else
        {
            Wait(idleSinceNs);
        }
    }

    /// Goes back over a message to the work of its sender. Of the time that the message was on its
    /// way, propagation comes last and serialisation first.
    void PassMessage(const trace::MessageSpan& message)
    {
        CausalStep step;
        step.message = &message;
        const auto pass = [&](CauseKind kind, std::int64_t startNs)
        {
            step.kind = kind;
            GoTo(step, startNs);
        };
        if (message.crosses_wan())
        {
            const std::int64_t sentNs = message.send_start_ns();
            const std::int64_t leftNs =
                std::max(sentNs, message.delivered_ns() - message.propagation_ns());
            pass(CauseKind::WanPropagation, leftNs);
            const std::int64_t crossedNs = std::min(leftNs, sentNs + message.serialisation_ns());
            pass(CauseKind::WanCongestion, std::min(leftNs, crossedNs + message.window_ns()));
            pass(CauseKind::WanWindow, crossedNs);
            pass(CauseKind::WanSerialisation, sentNs);
            pass(CauseKind::WanTurn, message.queued_ns());
        }
        else
        {
            pass(CauseKind::Local, message.queued_ns());
        }
        m_at = m_history.At(message.sender(), m_at.atNs);
    }

    /// Goes back over a collective, and over those that the latest member had to end before it, to
    /// the work of the member that joined last.
    void PassCollective(const Join& join)
    {
        const Join* current = &join;
        for (std::size_t left = m_history.m_rounds.size(); left > 0; --left)
        {
            const Round& round = m_history.m_rounds[current->round];
            CausalStep step;
            step.kind = CauseKind::Collective;
            step.collective = current->span;
            GoTo(step, round.startNs);
            m_at.worker = round.latest;
            if (!round.latestWaits || m_at.atNs <= m_untilNs)
            {
                break;
            }
            current = &m_history.m_joins[round.latest][round.before];
        }
        m_at = m_history.At(m_at.worker, m_at.atNs);
    }

    const CausalHistory& m_history;
    CausalPosition m_at;
    std::int64_t m_untilNs;
    std::vector<CausalStep> m_steps;
};

CausalHistory::CausalHistory(const std::vector<std::vector<trace::GpuSpan>>& spans,
                             const std::vector<trace::MessageSpan>& messages,
                             const std::vector<trace::CollectiveSpan>& collectives)
    : m_spans(spans),
      m_messages(messages),
      m_collectives(collectives),
      m_arrivals(spans.size()),
      m_joins(spans.size())
{
    SortMessages();
    NumberRounds();
    m_mostSteps = messages.size() + collectives.size();
    for (const auto& ofWorker : spans)
    {
        m_mostSteps += 2 * ofWorker.size(); // each with a wait before it
    }
}

std::vector<CausalStep>
CausalHistory::Before(CausalPosition from, std::int64_t untilNs) const
{
    return Walk(*this, from, untilNs).Steps();
}

CausalPosition
CausalHistory::LatestUntil(std::int64_t ns) const
{
    CausalPosition latest;
    std::int64_t latestNs = 0;
    for (std::uint32_t worker = 0; worker < m_spans.size(); ++worker)
    {
        const CausalPosition position = At(worker, ns);
        const std::int64_t endNs =
            position.nextSpan > 0 ? m_spans[worker][position.nextSpan - 1].end_ns() : 0;
        if (worker == 0 || endNs > latestNs)
        {
            latest = position;
            latestNs = endNs;
        }
    }
    return latest;
}

bool
CausalHistory::KnowsPartsOfWan() const
{
    const auto isOld = [](const trace::MessageSpan& message)
    {
        return message.crosses_wan() && message.propagation_ns() == 0 &&
               message.serialisation_ns() == 0;
    };
    return std::none_of(m_messages.begin(), m_messages.end(), isOld);
}

const std::vector<trace::GpuSpan>&
CausalHistory::SpansOf(std::uint32_t worker) const
{
    return m_spans[worker];
}

void
CausalHistory::SortMessages()
{
    for (const auto& message : m_messages)
    {
        m_arrivals[message.receiver()].push_back(&message);
    }
    for (auto& arrivals : m_arrivals)
    {
        std::stable_sort(arrivals.begin(),
                         arrivals.end(),
                         [](const auto* a, const auto* b)
                         { return a->delivered_ns() < b->delivered_ns(); });
    }
}

/// Finds out which shares belong to one collective: the k-th of a group, on each of its members. A
/// trace without groups has a group per stage.
void
CausalHistory::NumberRounds()
{
    using Key = std::tuple<std::uint32_t, trace::CollectiveKind, std::uint32_t, std::uint32_t>;
    std::map<std::pair<Key, std::uint32_t>, std::size_t> joined; // how often a worker has
    std::map<std::pair<Key, std::size_t>, std::size_t> rounds;
    for (const auto& span : m_collectives)
    {
        const Key key{
            span.iteration(), span.kind(), span.group(), span.group() > 0 ? 0 : span.stage()};
        const auto [found, isNew] =
            rounds.try_emplace({key, joined[{key, span.worker()}]++}, m_rounds.size());
        if (isNew)
        {
            m_rounds.emplace_back();
        }
        auto& joins = m_joins[span.worker()];
        Round& round = m_rounds[found->second];
        const auto last = LastOfLane(joins, span.kind());
        const bool isFirst = last == joins.size();
        const std::int64_t freeNs = isFirst ? span.joined_ns() : joins[last].span->ended_ns();
        const std::int64_t beganNs = std::max(freeNs, span.joined_ns());
        if (!round.hasMember || beganNs > round.startNs)
        {
            round.startNs = beganNs;
            round.latest = span.worker();
            round.latestWaits = freeNs > span.joined_ns();
            round.before = isFirst ? 0 : last;
            round.hasMember = true;
        }
        joins.push_back({&span, found->second});
    }
}

/// Returns the position of a worker at `ns`.
CausalPosition
CausalHistory::At(std::uint32_t worker, std::int64_t ns) const
{
    const auto& spans = m_spans[worker];
    const auto next = std::partition_point(
        spans.begin(), spans.end(), [ns](const auto& span) { return span.end_ns() <= ns; });
    return {worker, static_cast<std::size_t>(next - spans.begin()), ns};
}

/// Returns the message that ended the wait from `sinceNs` to a position: the last one that came in
/// between, or the input of the next work where a filler held that back. Null: there is none.
const trace::MessageSpan*
CausalHistory::MessageThatEnded(const CausalPosition& gap, std::int64_t sinceNs) const
{
    const auto& arrivals = m_arrivals[gap.worker];
    const auto& spans = m_spans[gap.worker];
    const auto after = std::partition_point(arrivals.begin(),
                                            arrivals.end(),
                                            [&](const auto* message)
                                            { return message->delivered_ns() <= gap.atNs; });
    const trace::MessageSpan* latest = nullptr;
    for (auto i = after; i != arrivals.begin() && (*(i - 1))->delivered_ns() > sinceNs; --i)
    {
        const auto* message = *(i - 1);
        const bool isLate = latest != nullptr && message->delivered_ns() < latest->delivered_ns();
        if (isLate && latest->delivered_ns() == gap.atNs)
        {
            break; // the wait ended when the latest message came
        }
        latest = latest == nullptr ? message : latest;
        if (gap.nextSpan < spans.size() && Feeds(*message, spans[gap.nextSpan]))
        {
            return message;
        }
    }
    return latest;
}

/// Returns the position of the last collective that had to end before one of `kind` could begin: of
/// the same stream. Pulls and pushes have streams of their own. The size of `joins`: there is none.
std::size_t
CausalHistory::LastOfLane(const std::vector<Join>& joins, trace::CollectiveKind kind)
{
    const auto lane = [](trace::CollectiveKind of)
    {
        const bool isOwn = of == trace::COLLECTIVE_KIND_PULL || of == trace::COLLECTIVE_KIND_PUSH ||
                           of == trace::COLLECTIVE_KIND_ALL_TO_ALL;
        return isOwn ? of : trace::COLLECTIVE_KIND_UNSPECIFIED;
    };
    for (std::size_t i = joins.size(); i > 0; --i)
    {
        if (lane(joins[i - 1].span->kind()) == lane(kind))
        {
            return i - 1;
        }
    }
    return joins.size();
}

/// Returns the collective that ended the wait from `sinceNs`: the last one before an optimiser step,
/// or the one that brought the parameters with which the next work began, or the push that made room
/// for its gradients. Null: there is none.
const CausalHistory::Join*
CausalHistory::CollectiveThatEnded(const CausalPosition& gap, std::int64_t sinceNs) const
{
    const auto& spans = m_spans[gap.worker];
    if (gap.nextSpan >= spans.size())
    {
        return nullptr;
    }
    const auto& joins = m_joins[gap.worker];
    const auto after =
        std::partition_point(joins.begin(),
                             joins.end(),
                             [&](const Join& join) { return join.span->ended_ns() <= gap.atNs; });
    if (spans[gap.nextSpan].kind() == trace::GPU_WORK_OPTIMIZER_STEP)
    {
        const bool isInside = after != joins.begin() && (after - 1)->span->ended_ns() > sinceNs;
        return isInside ? &*(after - 1) : nullptr;
    }
    for (auto i = after; i != joins.begin() && (i - 1)->span->ended_ns() == gap.atNs; --i)
    {
        const trace::CollectiveKind kind = (i - 1)->span->kind();
        const bool isNext =
            (i - 1)->span->stage() == spans[gap.nextSpan].stage() &&
            (kind == trace::COLLECTIVE_KIND_PULL || kind == trace::COLLECTIVE_KIND_ALL_GATHER ||
             kind == trace::COLLECTIVE_KIND_ALL_TO_ALL);
        if (gap.atNs > sinceNs && (isNext || kind == trace::COLLECTIVE_KIND_PUSH))
        {
            return &*(i - 1);
        }
    }
    return nullptr;
}

} // namespace geotrain
