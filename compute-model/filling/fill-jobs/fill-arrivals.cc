// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-arrivals.h"

#include "units/config-error.h"
#include "units/csv-cells.h"
#include "units/random-stream.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

const char*
NameOf(FillTask task)
{
    return task == FillTask::Training ? "training" : "inference";
}

/// Draws an entry of a mix by its weight.
const FillMixEntry&
Choose(const std::vector<FillMixEntry>& mix, double uniform)
{
    double total = 0;
    for (const FillMixEntry& entry : mix)
    {
        total += entry.weight;
    }
    double below = 0;
    for (const FillMixEntry& entry : mix)
    {
        below += entry.weight / total;
        if (uniform < below)
        {
            return entry;
        }
    }
    return mix.back();
}

using Cells = std::vector<std::string>;

const std::vector<std::string> requiredColumns = {"arrival_s", "model", "task", "samples"};
const std::string deadlineColumn = "deadline_s";
constexpr double longestSeconds = 4e9; // int64 nanoseconds are good for twice that
constexpr std::uint64_t mostSamples = 1000000000000;

/// Turns rows into jobs and throws errors that name the line.
class TraceParser
{
  public:
    TraceParser(const std::string& fileName, const FillModels& models)
        : m_fileName(fileName),
          m_models(models)
    {
    }

    void Header(const Cells& header)
    {
        Cells wanted = requiredColumns;
        m_hasDeadlines = header.size() == wanted.size() + 1;
        if (m_hasDeadlines)
        {
            wanted.push_back(deadlineColumn);
        }
        if (header != wanted)
        {
            throw ConfigError(
                m_fileName,
                "line 1",
                "",
                "must name the columns arrival_s,model,task,samples and, if wanted, deadline_s");
        }
    }

    FillJob Row(std::size_t line, const Cells& cells)
    {
        m_line = line;
        if (cells.size() != requiredColumns.size() + (m_hasDeadlines ? 1 : 0))
        {
            throw ConfigError(m_fileName,
                              "line " + std::to_string(line),
                              "",
                              "must have as many cells as the header");
        }
        FillJob job;
        job.arrival = Instant() + Seconds(cells[0], "arrival_s");
        if (job.arrival < m_lastArrival)
        {
            Refuse("arrival_s", cells[0], "must not be before the row above: rows go by arrival");
        }
        m_lastArrival = job.arrival;
        job.model = cells[1];
        job.task = Task(cells[2]);
        const auto* programs = m_models.Find(job.model, job.task);
        if (programs == nullptr)
        {
            Refuse("model", cells[1], "must be one of " + m_models.Names());
        }
        job.programs = *programs;
        job.samples = Samples(cells[3]);
        if (m_hasDeadlines && !cells[4].empty())
        {
            job.deadline = Instant() + Seconds(cells[4], "deadline_s");
            if (*job.deadline < job.arrival)
            {
                Refuse("deadline_s", cells[4], "must not be before the job's arrival");
            }
        }
        return job;
    }

  private:
    Duration Seconds(const std::string& text, const char* column) const
    {
        double value = 0;
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || rest != text.data() + text.size() ||
            !(value >= 0 && value <= longestSeconds))
        {
            Refuse(column, text, "must be a number of seconds from 0 to 4e9");
        }
        return Duration::Seconds(value);
    }

    FillTask Task(const std::string& text) const
    {
        for (const auto task : {FillTask::Training, FillTask::Inference})
        {
            if (text == NameOf(task))
            {
                return task;
            }
        }
        Refuse("task", text, "must be training or inference");
    }

    std::uint64_t Samples(const std::string& text) const
    {
        std::uint64_t value = 0;
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || rest != text.data() + text.size() || value < 1 ||
            value > mostSamples)
        {
            Refuse("samples", text, "must be a whole number from 1 to 1e12");
        }
        return value;
    }

    [[noreturn]] void
    Refuse(const char* column, const std::string& value, const std::string& rule) const
    {
        throw ConfigError(
            m_fileName, "line " + std::to_string(m_line) + ": " + column, value, rule);
    }

    const std::string& m_fileName;
    const FillModels& m_models;
    bool m_hasDeadlines = false;
    std::size_t m_line = 1;
    Instant m_lastArrival;
};

/// Returns the samples that take `time` on a GPU of its own at the rate of the fastest batch size
/// that fits.
std::uint64_t
SamplesOf(const FillModels::Programs& programs, Duration time, Bytes gpuMemory)
{
    double best = programs.front()->PassDuration().ToSeconds() / programs.front()->Samples();
    for (const auto& program : programs)
    {
        if (program->PeakMemory() <= gpuMemory)
        {
            best = std::min(best, program->PassDuration().ToSeconds() / program->Samples());
        }
    }
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::llround(time.ToSeconds() / best)));
}

} // namespace

void
FillModels::AddFromCatalogue(const FillModel& model, FillTask task, const GpuSpec& gpu)
{
    const auto programs = MakeFillPrograms(model, task, gpu);
    if (programs.empty())
    {
        const FillProgram smallest = MakeFillProgram(model, task, 1, gpu);
        std::ostringstream rule;
        rule.precision(3);
        rule << smallest.Name() << " needs "
             << static_cast<double>(smallest.PeakMemory().Count()) * 1e-9 << " GB, and " << gpu.name
             << " has " << static_cast<double>(gpu.memory.Count()) * 1e-9
             << " GB: it runs on no GPU here";
        throw std::invalid_argument(rule.str());
    }
    Programs& known = m_programs[{model.name, task}];
    known.insert(known.end(), programs.begin(), programs.end());
}

void
FillModels::Add(const std::string& name, FillTask task, std::shared_ptr<const FillProgram> program)
{
    m_programs[{name, task}] = {std::move(program)};
}

const FillModels::Programs*
FillModels::Find(const std::string& name, FillTask task) const
{
    const auto found = m_programs.find({name, task});
    return found == m_programs.end() ? nullptr : &found->second;
}

std::string
FillModels::Names() const
{
    std::string names;
    for (const auto& [key, programs] : m_programs)
    {
        names += (names.empty() ? "" : ", ") + key.first + " " + NameOf(key.second);
    }
    return names;
}

std::vector<FillJob>
GenerateFillJobs(const FillGeneratorInputs& inputs, const FillModels& models)
{
    RandomStream arrivals(inputs.seed, "fill-jobs", "arrivals");
    RandomStream kinds(inputs.seed, "fill-jobs", "models");
    RandomStream sizes(inputs.seed, "fill-jobs", "sizes");
    std::vector<FillJob> jobs;
    double at = 0;
    for (std::uint32_t number = 1; number <= inputs.jobs; ++number)
    {
        const FillMixEntry& kind = Choose(inputs.mix, kinds.Uniform());
        const auto* programs = models.Find(kind.model, kind.task);
        if (programs == nullptr)
        {
            throw std::invalid_argument("must be one of " + models.Names());
        }
        constexpr double secondsOfHour = 3600;
        at += inputs.jobsPerHour > 0
                  ? -std::log(arrivals.Uniform()) * secondsOfHour / inputs.jobsPerHour
                  : 0;
        FillJob job;
        job.number = number;
        job.model = kind.model;
        job.task = kind.task;
        job.arrival = Instant() + Duration::Seconds(at);
        job.programs = *programs;
        const Duration time = Duration::Seconds(inputs.medianTime.ToSeconds() *
                                                std::exp(inputs.sigma * sizes.Normal()));
        job.samples = SamplesOf(*programs, time, inputs.gpuMemory);
        if (inputs.deadlineFactor > 0)
        {
            job.deadline =
                job.arrival + Duration::Seconds(inputs.deadlineFactor * time.ToSeconds());
        }
        jobs.push_back(std::move(job));
    }
    return jobs;
}

std::vector<FillJob>
ParseFillTrace(const std::string& fileName, const std::string& text, const FillModels& models)
{
    TraceParser parser(fileName, models);
    std::vector<FillJob> jobs;
    std::istringstream lines(text);
    std::string line;
    std::size_t number = 0;
    while (std::getline(lines, line))
    {
        ++number;
        if (number == 1)
        {
            parser.Header(CsvCells(line));
        }
        else if (line.find_first_not_of(" \t\r") != std::string::npos)
        {
            jobs.push_back(parser.Row(number, CsvCells(line)));
            jobs.back().number = jobs.size();
        }
    }
    if (jobs.empty())
    {
        throw ConfigError(fileName, "", "", "must have a header and at least one job");
    }
    return jobs;
}

} // namespace geotrain
