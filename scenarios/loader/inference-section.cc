// SPDX-License-Identifier: GPL-2.0-only
#include "loader/inference-section.h"

#include "loader/catalogue-names.h"
#include "loader/worker-memory.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace geotrain
{

namespace
{

ControllerOptions
OptionsOf(const scenario::Inference& written)
{
    ControllerOptions options;
    options.policy = EnumOf<PlacementPolicy>(written.policy());
    options.preemption = EnumOf<Preemption>(written.preemption());
    options.guard = ParseDuration(written.guard());
    options.preemptionCost = ParseDuration(written.preemption_cost());
    if (written.has_ttft_objective())
    {
        options.objective = ParseDuration(written.ttft_objective());
    }
    options.objectivePerToken =
        Duration::Nanoseconds(ParseDuration(written.ttft_per_1k_tokens()).ToNanoseconds() / 1000);
    options.batchWait = ParseDuration(written.batch_wait());
    options.offlineTokens = Small(written.offline_tokens());
    return options;
}

GeneratorOptions
GeneratorOf(const scenario::RequestGenerator& written)
{
    GeneratorOptions options;
    options.requestsPerSecond = written.requests_per_second();
    options.burstiness = written.burstiness();
    options.medianTokens = written.median_prompt();
    options.sigma = written.sigma();
    options.mostTokens = Small(written.longest_prompt());
    options.most = static_cast<std::uint64_t>(written.requests());
    return options;
}

/// Returns the longest prompt that the model can serve; longer prompts are refused. Throws
/// ConfigError where every prompt of a trace is longer.
std::uint32_t
LongestServed(const InferenceSection& section, const ScenarioFile& file, const std::string& field)
{
    const std::uint32_t context = section.request.model.maxContext;
    if (section.rows.empty())
    {
        return std::min(section.generator.mostTokens, context);
    }
    std::uint32_t longest = 0;
    std::uint32_t shortest = UINT32_MAX;
    for (const auto& row : section.rows)
    {
        shortest = std::min(shortest, row.promptTokens);
        longest = row.promptTokens <= context ? std::max(longest, row.promptTokens) : longest;
    }
    if (longest == 0)
    {
        file.Fail(field,
                  "",
                  fmt::format("every request would be refused: the shortest prompt has {} tokens, "
                              "{} has a context of {}; shorter prompts or a model of a longer "
                              "context would fit",
                              shortest,
                              section.request.model.name,
                              context));
    }
    return longest;
}

void
ReadRequests(scenario::Inference& written,
             InferenceSection& section,
             std::vector<std::string>& warnings,
             const ScenarioFile& file)
{
    if (written.has_generator())
    {
        section.generator = GeneratorOf(written.generator());
        return;
    }
    auto& trace = *written.mutable_trace();
    const auto path = file.PathOf(trace.file(), "inference.trace.file");
    auto read = ReadRequestTrace(path, EnumOf<TraceTime>(trace.trace_time()));
    section.rows = std::move(read.rows);
    section.rateFactor = trace.rate_factor();
    if (!read.guess.empty())
    {
        warnings.push_back(fmt::format(
            "{}: timestamps are taken for {}: {} requests, {:.4g} a second; inference.trace's "
            "trace_time says it for certain",
            trace.file(),
            read.guess,
            section.rows.size(),
            section.OfferedRate()));
    }
    trace.set_file(std::filesystem::absolute(path).string());
}

/// Returns the workers by stage. Chains take them in this order, since the workers of a stage have
/// similar bubbles.
std::vector<WorkerIndex>
ByStage(const Placement& placement)
{
    std::vector<WorkerIndex> order;
    for (std::uint32_t stage = 0; stage < placement.stages; ++stage)
    {
        for (std::uint32_t replica = 0; replica < placement.replicas; ++replica)
        {
            order.push_back(placement.WorkerOf(replica, stage));
        }
    }
    return order;
}

/// Returns the place of a GPU in the list, to which it is added where it is missing.
std::uint32_t
IndexOf(const GpuSpec& gpu, std::vector<GpuSpec>& gpus)
{
    const auto known = std::find_if(
        gpus.begin(), gpus.end(), [&gpu](const GpuSpec& other) { return other.name == gpu.name; });
    const auto index = static_cast<std::uint32_t>(known - gpus.begin());
    if (known == gpus.end())
    {
        gpus.push_back(gpu);
    }
    return index;
}

void
DescribeCluster(const Cluster& cluster, const PreparedPlan& training, ServingRequest& request)
{
    const auto memory = MemoryOfWorkers(training, cluster);
    double nvlink = 1e15;
    for (const auto& gpu : cluster.GpuTypes())
    {
        nvlink = std::min(nvlink, 8 * gpu.nvlinkBytesPerSecond);
    }
    request.nodeLocalRate = BitRate::BitsPerSecond(static_cast<std::int64_t>(nvlink));
    for (WorkerIndex worker = 0; worker < memory.size(); ++worker)
    {
        const NodeIndex node = training.placement.nodeOfWorker[worker];
        request.workers.push_back({node,
                                   cluster.wan.SiteOf(node),
                                   IndexOf(cluster.GpuOfNode(node), request.gpus),
                                   AlwaysFree(memory[worker])});
    }
    request.order = ByStage(training.placement);
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        const auto& site = cluster.wan.sites[index];
        const double payloadRate =
            cluster.transport.payloadShare * static_cast<double>(site.intraRate.ToBitsPerSecond());
        request.dataCenters.push_back(
            {site.name,
             BitRate::BitsPerSecond(std::max<std::int64_t>(1, std::llround(payloadRate))),
             site.intraDelay});
    }
}

/// Returns the most tokens of a chunk whose kernels are no longer than `longest`, in steps of 128.
std::uint32_t
LargestChunk(const InferenceSection& section, Duration longest)
{
    constexpr std::uint32_t step = 128;
    const ServingTimes times(section.request, section.chains);
    const std::uint32_t prompt = section.request.mostTokens;
    std::uint32_t chunk = step;
    while (chunk < prompt)
    {
        const std::uint32_t tokens = std::min(chunk + step, prompt);
        if (times.LongestKernel({{tokens, 1}, prompt - tokens}) > longest)
        {
            break;
        }
        chunk += step;
    }
    return chunk;
}

/// Sets the sizes of chunks and batches, in the section and as they are written.
void
ResolveChunks(scenario::Inference& written, InferenceSection& section, const ScenarioFile& file)
{
    if (!written.has_chunk_tokens())
    {
        written.set_chunk_tokens(LargestChunk(section, ParseDuration(written.longest_kernel())));
    }
    const std::int64_t chunk = written.chunk_tokens();
    if (!written.has_batch_tokens())
    {
        written.set_batch_tokens(chunk);
    }
    if (chunk > 0 && written.batch_tokens() > chunk)
    {
        file.Fail("inference.batch_tokens",
                  std::to_string(written.batch_tokens()),
                  fmt::format("must be at most chunk_tokens ({}): prompts that are prefilled "
                              "together are one chunk",
                              chunk));
    }
    section.request.chunkTokens = Small(chunk);
    section.options.batchTokens = Small(written.batch_tokens());
}

} // namespace

std::unique_ptr<RequestSource>
InferenceSection::MakeSource(std::uint64_t seed) const
{
    if (rows.empty())
    {
        return std::make_unique<RequestGenerator>(generator, seed);
    }
    return std::make_unique<RequestTrace>(rows, rateFactor);
}

double
InferenceSection::OfferedRate() const
{
    if (rows.empty())
    {
        return generator.requestsPerSecond;
    }
    const double seconds = rows.back().sinceFirst.ToSeconds() / rateFactor;
    return seconds > 0 ? static_cast<double>(rows.size()) / seconds : 0;
}

InferenceSection
ResolveInference(scenario::Scenario& scenario,
                 const Cluster& cluster,
                 const PreparedPlan& training,
                 std::vector<std::string>& warnings,
                 const ScenarioFile& file)
{
    auto& written = *scenario.mutable_inference();
    InferenceSection section;
    section.request.model = ModelNamed(written.model(), "inference.model", file);
    section.options = OptionsOf(written);
    section.sharesNic = written.kv_nic() == scenario::SHARED;
    section.sharesActivationNic = written.activation_nic() != scenario::OWN;
    ReadRequests(written, section, warnings, file);
    section.request.ppDegree = Small(written.pp_degree());
    section.request.tensorParallel = Small(scenario.parallelism().tensor_parallel());
    section.outputTokens = Small(written.output_tokens());
    section.request.mostTokens = std::max({LongestServed(section, file, "inference.trace.file"),
                                           Small(written.batch_tokens()),
                                           section.options.offlineTokens});
    DescribeCluster(cluster, training, section.request);
    try
    {
        section.chains = MakeServingChains(section.request);
        ResolveChunks(written, section, file);
    }
    catch (const std::invalid_argument& broken)
    {
        file.Fail("inference.model", written.model(), broken.what());
    }
    written.set_pp_degree(section.chains.ppDegree);
    for (const auto& dataCenter : scenario.data_center())
    {
        section.decodeNodes.push_back(
            Small(written.has_decode_nodes() ? written.decode_nodes() : dataCenter.nodes()));
    }
    return section;
}

} // namespace geotrain
