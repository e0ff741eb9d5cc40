// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-job.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

void
CheckOperator(const FillOperator& checked)
{
    if (checked.duration <= Duration())
    {
        throw std::invalid_argument("duration of operator " + checked.name + " must be positive");
    }
    if (checked.memory < Bytes() || checked.work.Count() < 0)
    {
        throw std::invalid_argument("memory and work of operator " + checked.name +
                                    " must not be negative");
    }
}

} // namespace

FillProgram::FillProgram(std::string name,
                         std::uint32_t samples,
                         std::vector<FillOperator> operators,
                         std::string gpu)
    : m_name(std::move(name)),
      m_samples(samples),
      m_gpu(std::move(gpu)),
      m_operators(std::move(operators))
{
    if (m_operators.empty() || samples == 0)
    {
        throw std::invalid_argument("operators and samples must be at least 1");
    }
    FillSegment segment;
    for (std::size_t index = 0; index < m_operators.size(); ++index)
    {
        const FillOperator& next = m_operators[index];
        CheckOperator(next);
        ++segment.operators;
        segment.duration += next.duration;
        segment.memory = std::max(segment.memory, next.memory);
        segment.held = next.memory;
        segment.work = segment.work + next.work;
        if (next.checkpointable || index + 1 == m_operators.size())
        {
            m_passDuration += segment.duration;
            m_passWork = m_passWork + segment.work;
            m_peakMemory = std::max(m_peakMemory, segment.memory);
            m_segments.push_back(segment);
            segment = FillSegment();
            segment.firstOperator = index + 1;
        }
    }
}

const std::string&
FillProgram::Name() const
{
    return m_name;
}

bool
FillProgram::IsFor(const std::string& gpu) const
{
    return m_gpu.empty() || gpu.empty() || m_gpu == gpu;
}

std::uint32_t
FillProgram::Samples() const
{
    return m_samples;
}

const std::vector<FillOperator>&
FillProgram::Operators() const
{
    return m_operators;
}

const std::vector<FillSegment>&
FillProgram::Segments() const
{
    return m_segments;
}

Duration
FillProgram::PassDuration() const
{
    return m_passDuration;
}

Flops
FillProgram::PassWork() const
{
    return m_passWork;
}

Bytes
FillProgram::PeakMemory() const
{
    return m_peakMemory;
}

std::uint64_t
PassesOf(const FillProgram& program, std::uint64_t samples)
{
    return (samples + program.Samples() - 1) / program.Samples();
}

double
DedicatedFlopsPerSecond(const FillJob& job)
{
    double best = 0;
    for (const auto& program : job.programs)
    {
        best = std::max(best, program->PassWork().Count() / program->PassDuration().ToSeconds());
    }
    return best;
}

} // namespace geotrain
