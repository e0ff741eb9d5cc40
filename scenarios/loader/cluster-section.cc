// SPDX-License-Identifier: GPL-2.0-only
// Looks up GPUs by name, and turns the transport's fields into the connection model of the analytic
// network.
#include "loader/cluster-section.h"

#include "loader/catalogue-names.h"
#include "loader/field-rules.h"
#include "loader/nearest-names.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace geotrain
{

namespace
{

using scenario::Scenario;

// Size of IPv4 and TCP headers with the timestamp option: 20 + 20 + 12 bytes per packet (RFC 791,
// 9293, 7323).
constexpr std::int64_t headerBytes = 52;

// Segments that a new connection sends before its first acknowledgement (RFC 6928).
constexpr std::int64_t initialSegments = 10;

// Most bytes that a connection sends before its first acknowledgement, since the window of a SYN is
// not scaled (RFC 7323, section 2.2).
constexpr std::int64_t unscaledWindow = 65535;

constexpr double tera = 1e12;
constexpr double giga = 1e9;

GpuEfficiency
EfficiencyOf(const scenario::GpuType& written)
{
    if (!written.has_efficiency())
    {
        GpuEfficiency efficiency = FindGpu("H100")->efficiency;
        efficiency.source = ConstantSource::Estimate;
        efficiency.basis = "H100's, since the scenario has none";
        return efficiency;
    }
    const auto& own = written.efficiency();
    GpuEfficiency efficiency{own.matmul(),
                             own.half_side(),
                             own.memory(),
                             own.attention(),
                             own.attention(),
                             ConstantSource::Kernels,
                             "the scenario's"};
    efficiency.attentionShares = FindGpu("H100")->efficiency.attentionShares;
    efficiency.kernelGap = ParseDuration(own.kernel_gap());
    return efficiency;
}

GpuSpec
GpuOfType(const scenario::GpuType& written)
{
    GpuSpec gpu;
    gpu.name = written.name();
    gpu.source = "the scenario";
    gpu.peakFlopsPerSecond = written.peak_tflops() * tera;
    gpu.memory = ParseBytes(written.memory());
    gpu.memoryBytesPerSecond = written.bandwidth_gb_per_s() * giga;
    gpu.nvlinkBytesPerSecond = written.nvlink_gb_per_s() * giga;
    gpu.fp32FlopsPerSecond = written.fp32_tflops() * tera;
    gpu.tf32FlopsPerSecond = written.tf32_tflops() * tera;
    gpu.fp8FlopsPerSecond = written.fp8_tflops() * tera;
    gpu.fusesAttention = written.attention() != scenario::UNFUSED;
    gpu.efficiency = EfficiencyOf(written);
    gpu.serving = FindGpu("H100")->serving;
    return gpu;
}

/// Returns the GPUs that data centres may name: the catalogue's and the scenario's own.
std::vector<GpuSpec>
KnownGpus(const Scenario& scenario, const ScenarioFile& file)
{
    std::vector<GpuSpec> known = GpuCatalogue();
    for (int i = 0; i < scenario.gpu_type_size(); ++i)
    {
        const GpuSpec own = GpuOfType(scenario.gpu_type(i));
        if (scenario.gpu_type(i).attention() == scenario::FUSED_CAUSAL)
        {
            file.Fail(fmt::format("gpu_type[{}].attention", i),
                      "FUSED_CAUSAL",
                      "must be FUSED or UNFUSED: model.attention says which scores are computed");
        }
        for (const auto& other : known)
        {
            if (AreSameInAnyCase(other.name, own.name))
            {
                file.Fail(fmt::format("gpu_type[{}].name", i),
                          own.name,
                          "must be the name of one GPU only");
            }
        }
        known.push_back(own);
    }
    return known;
}

std::vector<Cluster::OtherGpus>
OtherGpusOf(const Scenario& scenario,
            int index,
            const std::vector<GpuSpec>& known,
            const ScenarioFile& file)
{
    const auto& dataCenter = scenario.data_center(index);
    std::vector<Cluster::OtherGpus> others;
    std::int64_t nodes = 0;
    for (int i = 0; i < dataCenter.other_gpus_size(); ++i)
    {
        const auto& written = dataCenter.other_gpus(i);
        const auto field = fmt::format("data_center[{}].other_gpus[{}]", index, i);
        nodes += written.nodes();
        if (nodes >= dataCenter.nodes())
        {
            file.Fail(field + ".nodes",
                      std::to_string(written.nodes()),
                      fmt::format("must leave at least one of the data centre's {} nodes to "
                                  "data_center[{}].gpu",
                                  dataCenter.nodes(),
                                  index));
        }
        others.push_back(
            {Small(written.nodes()), GpuNamed(known, written.gpu(), field + ".gpu", file)});
    }
    return others;
}

/// Returns whether a congestion control grows and reduces windows as RFC 5681 does.
bool
IsReno(const std::string& congestionControl)
{
    const auto name = congestionControl.substr(congestionControl.rfind(':') + 1); // npos + 1 is 0
    return name == "TcpNewReno" || name == "TcpLinuxReno";
}

const std::string&
PriceRegion(const scenario::DataCenter& dataCenter)
{
    return dataCenter.has_region() ? dataCenter.region() : dataCenter.name();
}

} // namespace

std::vector<GpuSpec>
GpusKnownTo(const ScenarioText& text)
{
    Scenario gpus;
    *gpus.mutable_gpu_type() = ParseScenario(text.text, text.file).gpu_type();
    ApplyFieldRules(gpus, text.file);
    return KnownGpus(gpus, {text.file, text.folder});
}

void
CheckGpuNames(const Scenario& scenario, const ScenarioFile& file)
{
    const auto known = KnownGpus(scenario, file);
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        if (scenario.data_center(i).has_gpu())
        {
            GpuNamed(
                known, scenario.data_center(i).gpu(), fmt::format("data_center[{}].gpu", i), file);
        }
        OtherGpusOf(scenario, i, known, file);
    }
}

AnalyticTransport
AnalyticTransportOf(const Scenario& scenario)
{
    const auto& written = scenario.transport();
    AnalyticTransport transport;
    transport.connections = Small(written.connections());
    transport.intraDcConnections = Small(written.intra_dc_connections());
    transport.payloadShare =
        static_cast<double>(scenario.mtu() - headerBytes) / static_cast<double>(scenario.mtu());
    AnalyticConnection& connection = transport.connection;
    connection.window = ParseBytes(written.window());
    connection.segment = Bytes::Of(scenario.mtu() - headerBytes);
    connection.initialWindow =
        connection.segment *
        (written.has_initial_window() ? written.initial_window() : initialSegments);
    connection.firstFlight = Bytes::Of(unscaledWindow);
    connection.restartsAfterIdle = written.slow_start_after_idle();
    connection.isReno = IsReno(written.congestion_control());
    if (written.has_hystart())
    {
        connection.hasHyStart = written.hystart();
    }
    if (written.has_pacing_rate())
    {
        connection.mostRate = ParseBitRate(written.pacing_rate());
    }
    if (scenario.caps().has_connection())
    {
        const auto cap =
            static_cast<double>(ParseBitRate(scenario.caps().connection()).ToBitsPerSecond());
        const BitRate payload = BitRate::BitsPerSecond(std::llround(cap * transport.payloadShare));
        connection.mostRate = std::min(connection.mostRate.value_or(payload), payload);
    }
    return transport;
}

Cluster
ResolveCluster(const Scenario& scenario, const WanTopology& wan, const ScenarioFile& file)
{
    Cluster cluster;
    cluster.wan = wan;
    const auto known = KnownGpus(scenario, file);
    for (int i = 0; i < scenario.data_center_size(); ++i)
    {
        const auto& written = scenario.data_center(i);
        const auto field = fmt::format("data_center[{}].gpu", i);
        if (!written.has_gpu())
        {
            file.Fail(field, "", "must be set");
        }
        Cluster::DataCenter dataCenter;
        dataCenter.gpusPerNode = Small(written.gpus_per_node());
        dataCenter.gpu = GpuNamed(known, written.gpu(), field, file);
        dataCenter.otherGpus = OtherGpusOf(scenario, i, known, file);
        cluster.dataCenters.push_back(dataCenter);
    }
    cluster.transport = AnalyticTransportOf(scenario);
    cluster.chunk = ParseBytes(scenario.transport().chunk());
    cluster.turnLatency = ParseDuration(scenario.temporal_sharing().turn_latency());
    return cluster;
}

void
SetPrices(const Scenario& scenario, const ScenarioFile& file, Cluster& cluster)
{
    for (int i = 0; i < scenario.price_size(); ++i)
    {
        const auto& price = scenario.price(i);
        const auto field = fmt::format("price[{}].region", i);
        bool used = false;
        for (int j = 0; j < scenario.data_center_size(); ++j)
        {
            const auto& dataCenter = scenario.data_center(j);
            if (PriceRegion(dataCenter) == price.region() || dataCenter.name() == price.region())
            {
                auto& priceOf = cluster.dataCenters[static_cast<std::size_t>(j)];
                priceOf.dollarsPerGpuHour = price.dollars_per_gpu_hour();
                priceOf.dollarsPerEgressGigabyte = price.dollars_per_egress_gb();
                used = true;
            }
        }
        if (!used)
        {
            file.Fail(field, price.region(), "must be the region or the name of a data centre");
        }
    }
}

void
CheckPrices(const Scenario& scenario, const ScenarioFile& file)
{
    Cluster priced;
    priced.dataCenters.resize(static_cast<std::size_t>(scenario.data_center_size()));
    SetPrices(scenario, file, priced);
}

} // namespace geotrain
