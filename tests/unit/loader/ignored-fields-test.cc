// SPDX-License-Identifier: GPL-2.0-only
// Each field of the schema is used by a network or ignored with a warning. A new field fails here until it is decided
// which.
#include "analytic/analytic-network.h"
#include "loader/field-conditions.h"
#include "loader/network-kinds.h"
#include "schema/scenario.pb.h"

#include "small-scenario.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace geotrain
{
namespace
{

using google::protobuf::FieldDescriptor;
using Names = std::set<std::string>;

/// The decision on each field of a section, or of several sections that are no matter of networks.
struct Decision
{
    const char* section; ///< its path without indices; empty: the scenario itself
    const char* used;    ///< by every network, or by nothing that a network does
    const char* ignored; ///< by the analytic network
};

const Decision decisions[] = {
    {"",
     "name model parallelism data_center transit_site wan_link wan_routing parallel route "
     "topology_import "
     "caps mtu "
     "transport schedule sharing "
     "temporal_sharing run variant price plan inference fill_jobs transfer grid "
     "expected figure criterion gpu_type in_network job full_set traffic_class",
     "cross_traffic reroute_after"},
    {"model",
     "catalogue transformer hugging_face_config microbatches microbatch_size sequence "
     "recomputation "
     "gradient_bytes_per_parameter profile profile_line attention precision "
     "software software_efficiency iteration_overhead capacity_factor expert_imbalance",
     ""},
    {"model.transformer",
     "layers hidden heads kv_heads ffn_width vocabulary head_width max_context gated "
     "tied_embeddings "
     "learned_positions layer_norm qkv_bias linear_bias sliding_window window_is_chunk value_width "
     "latent_attention query_key_norm weightless_norms norms_per_layer embedding_norm output_bias "
     "head_bias attention_sinks parallel_block experts layer_group linear_block",
     ""},
    {"model.transformer.latent_attention", "query_rank kv_rank rotary_width", ""},
    {"model.transformer.experts",
     "count per_token width shared_width shared_gate router_bias groups groups_per_token",
     ""},
    {"model.transformer.layer_group", "layers attends_to_all dense linear", ""},
    {"parallelism",
     "pipeline_stages data_parallel tensor_parallel layers_per_stage cell_size across "
     "shard_optimizer tensor_overlap data_parallelism prefetch non_preemptive "
     "gemm_interference collectives boundary_copies gradient_bucket collective placement "
     "expert_parallel",
     ""},
    {"data_center",
     "name region at nodes gpus_per_node gpu nic_rate intra_rate intra_delay stages replicas "
     "other_gpus nics_per_node",
     ""},
    {"data_center.other_gpus", "nodes gpu", ""},
    {"gpu_type",
     "name peak_tflops memory bandwidth_gb_per_s nvlink_gb_per_s fp32_tflops tf32_tflops "
     "fp8_tflops "
     "attention efficiency",
     ""},
    {"gpu_type.efficiency", "matmul half_side memory attention kernel_gap", ""},
    {"transit_site", "name latitude longitude", ""},
    {"route", "from to via weight", ""},
    {"wan_link",
     "from to rate rate_back delay delay_back queue loss",
     "queue_disc red codel step pie fq_codel dualpi2 policer burst_loss jitter duplication "
     "rate_step outage learned "
     "rate_trace "
     "rate_trace_back rate_trace_line rate_trace_back_line"},
    {"traffic_class", "name kind job priority burst", "weight rate police dscp marks_only"},
    {"topology_import", "file default_rate coordinates bandwidth_matrix", ""},
    {"topology_import.coordinates", "node latitude longitude", ""},
    {"caps", "node_pair node_egress node_ingress queue connection", "police"},
    // Express and device are one TCP, of which the analytic network has a model, and stock ns-3's is another.
    {"transport",
     "connections intra_dc_connections window chunk slow_start_after_idle initial_window hystart "
     "pacing_rate",
     "bearer congestion_control preset ecn min_rto delayed_ack delayed_ack_timeout pacing "
     "tail_loss_probe autotuning offload interrupt_coalescing"},
    {"schedule",
     "name warmup_factor virtual_stages memory_cap orders order_row all_reduce_buckets "
     "overlapped_block fallback",
     ""},
    {"temporal_sharing", "turn_latency", ""},
    {"run",
     "seed seeds full_seeds load warmup_iterations iterations deadline wall_deadline memory_limit "
     "memory_check compute_jitter repeat "
     "all_reduce_fidelity network packet_trace scale", // networks without packets refuse packet_trace
     "sample_interval inside_data_center"},
    {"variant", "name set full title", ""},
    {"expected", "variant metric value tolerance job", ""},
    {"figure",
     "name metric label factor across across_label across_factor by map log_x where line setting "
     "content variant across_metric over log_shades published panel",
     ""},
    {"figure.published", "name source x y half_height", ""},
    {"figure.panel", "quantity link", ""},
    {"figure.line", "name y x", ""},
    {"criterion",
     "what metric unit factor by where at_least at_most reference source kernel kernel_version "
     "exponent_across over_metric",
     ""},
    {"criterion.kernel", "control value half_width", ""},
    {"price", "region dollars_per_gpu_hour dollars_per_egress_gb", ""},
    {"plan",
     "global_batch pipeline_stages tensor_parallel data_parallel microbatch_size schedule "
     "warmup_factor sharing across "
     "cell_size",
     ""},
    {"inference",
     "model pp_degree guard preemption_cost policy ttft_objective ttft_per_1k_tokens batch_tokens "
     "batch_wait trace generator decode_nodes kv_nic activation_nic preemption chunk_tokens "
     "longest_kernel offline_tokens output_tokens",
     ""},
    {"inference.trace", "file rate_factor trace_time", ""},
    {"inference.generator",
     "requests_per_second burstiness median_prompt sigma longest_prompt requests",
     ""},
    {"fill_jobs",
     "trace trace_line jobs jobs_per_hour median_time sigma deadline_factor mix model policy score "
     "fill_fraction "
     "context_switch pcie_rate offload_optimizer_state preemption",
     ""},
    {"fill_jobs.mix", "model task weight", ""},
    {"fill_jobs.model", "name task samples operator", ""},
    {"fill_jobs.model.operator", "name duration memory flops checkpointable times kernels", ""},
    {"fill_jobs.score", "processing_time fastest_time arrival deadline", ""},
    // only on networks with packets
    {"transfer",
     "from to size messages gap cold rival duration warm_up start_spread flow rtt_spread",
     ""},
    {"transfer.warm_up", "bytes time", ""},
    {"transfer.flow",
     "name from to congestion_control connections window ecn start stop count size gap "
     "arrivals_per_second cold size_distribution rtt",
     ""},
    {"in_network",
     "server_data_center servers switches server_rate trunk_rate link_delay host_cap payload slots "
     "switch_memory credit heartbeat_interval timeout retries integer_bytes ssd_rate memory_rate "
     "cpu_tflops threads acknowledgement adds_at_server relay_buffer", // networks without packets refuse some
     "loss servers_die_at switch_dies_at"},
    {"grid", "vary set full name title", ""},
    {"job",
     "name start priority nodes model parallelism schedule sharing temporal_sharing inference "
     "fill_jobs",
     ""},
    {"job.nodes", "data_center count gpus stages replicas", ""}};

Names
Words(const std::string& text)
{
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

Names
FieldsOf(const google::protobuf::Descriptor& descriptor)
{
    Names names;
    for (int i = 0; i < descriptor.field_count(); ++i)
    {
        names.insert(descriptor.field(i)->name());
    }
    return names;
}

std::string
Path(const std::string& section, const std::string& field)
{
    return section.empty() ? field : section + "." + field;
}

/// Fails for each field of `descriptor`, and of the sections in it that are used, which no decision names.
void
ExpectDecided(const google::protobuf::Descriptor& descriptor, std::string section)
{
    if (section.rfind("job.", 0) == 0 && section != "job.nodes")
    {
        section = section.substr(4); // a job's sections are those of a scenario of one training
    }
    const auto found =
        std::find_if(std::begin(decisions),
                     std::end(decisions),
                     [&section](const Decision& decision) { return decision.section == section; });
    ASSERT_NE(found, std::end(decisions)) << "nobody has decided on " << section;
    Names decided = Words(found->used);
    decided.merge(Words(found->ignored));
    EXPECT_EQ(FieldsOf(descriptor), decided) << section;
    for (const std::string& name : Words(found->used))
    {
        const FieldDescriptor* field = descriptor.FindFieldByName(name);
        if (field != nullptr && field->message_type() != nullptr)
        {
            ExpectDecided(*field->message_type(), Path(section, name));
        }
    }
}

/// Gives each field of `message` a value that is not its default, and each list one entry.
void
SetAll(google::protobuf::Message& message)
{
    const auto* reflection = message.GetReflection();
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i)
    {
        const FieldDescriptor* field = message.GetDescriptor()->field(i);
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
        {
            SetAll(field->is_repeated() ? *reflection->AddMessage(&message, field)
                                        : *reflection->MutableMessage(&message, field));
            continue;
        }
        if (field->is_repeated())
        {
            if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
            {
                reflection->AddString(&message, field, "other");
            }
            continue;
        }
        switch (field->cpp_type())
        {
        case FieldDescriptor::CPPTYPE_INT64:
            reflection->SetInt64(&message, field, 77);
            break;
        case FieldDescriptor::CPPTYPE_DOUBLE:
            reflection->SetDouble(&message, field, 0.77);
            break;
        case FieldDescriptor::CPPTYPE_BOOL:
            reflection->SetBool(&message,
                                field,
                                field->options().GetExtension(scenario::rule).default_() != "true");
            break;
        case FieldDescriptor::CPPTYPE_ENUM:
            reflection->SetEnumValue(&message, field, 2);
            break;
        default:
            reflection->SetString(&message, field, "other");
            break;
        }
    }
}

/// A path without its indices.
std::string
WithoutIndices(const std::string& path)
{
    std::string text;
    bool isIndex = false;
    for (const char c : path)
    {
        isIndex = isIndex || c == '[';
        text += isIndex ? "" : std::string(1, c);
        isIndex = isIndex && c != ']';
    }
    return text;
}

std::vector<std::string>
IgnoredOf(const std::vector<std::string>& sets)
{
    return FieldsOfPackets(*LoadSmall(sets).provenance.resolved);
}

using Paths = std::vector<std::string>;

TEST(IgnoredFields, EveryFieldOfTheSchemaIsDecidedOn)
{
    ExpectDecided(*scenario::Scenario::descriptor(), "");
}

TEST(IgnoredFields, TheDecisionsAreWhatTheAnalyticNetworkDoes)
{
    scenario::Scenario all;
    SetAll(all);
    Names found;
    for (const std::string& path : FieldsOfPackets(all))
    {
        found.insert(WithoutIndices(path));
    }
    Names expected;
    for (const Decision& decision : decisions)
    {
        for (const std::string& field : Words(decision.ignored))
        {
            expected.insert(Path(decision.section, field));
        }
    }
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(WarningsOfIgnored(all, PacketNetworkKind()).empty());
}

TEST(Warnings, RedThatIsNotGentleDropsEcnCapablePacketsToo)
{
    const auto warns = [](const std::vector<std::string>& sets)
    {
        const auto warnings = LoadSmall(sets).warnings;
        return std::count_if(
            warnings.begin(),
            warnings.end(),
            [](const std::string& warning)
            { return warning.rfind("wan_link[0].red.gentle: false drops", 0) == 0; });
    };
    const std::string packets = "run.network=PACKET";
    const std::string notGentle = "wan_link[0].red.gentle=false";
    EXPECT_EQ(warns({packets, notGentle, "transport.ecn=true"}), 1);
    EXPECT_EQ(warns({packets, notGentle, "transport.congestion_control=TcpDctcp"}), 1);
    EXPECT_EQ(warns({packets, notGentle}), 0); // nothing is ECN-capable
    EXPECT_EQ(warns({packets, "wan_link[0].red.ecn=true", "transport.ecn=true"}), 0);
    EXPECT_EQ(warns({packets, notGentle, "wan_link[0].red.ecn=false", "transport.ecn=true"}), 0);
}

TEST(IgnoredFields, AreNoneOfAScenarioThatLeavesThemOut)
{
    EXPECT_EQ(IgnoredOf({}), Paths());
}

TEST(IgnoredFields, AreThoseThatDifferFromTheirDefaults)
{
    EXPECT_EQ(
        IgnoredOf({"wan_link[0].loss=0.001",
                   "wan_link[0].queue=2bdp",
                   "wan_link[0].queue_disc=FqCoDelQueueDisc",
                   "caps.police=true",
                   "caps.node_pair=2Gbps",
                   "caps.queue=100packets",
                   "run.sample_interval=1ms",
                   "transport.pacing=false",
                   "run.network=ANALYTIC"}),
        (Paths{
            "wan_link[0].queue_disc", "caps.police", "transport.pacing", "run.sample_interval"}));
    EXPECT_EQ(IgnoredOf({"wan_link[0].queue=1bdp",
                         "wan_link[0].loss=0",
                         "wan_link[0].duplication=0",
                         "caps.police=false",
                         "transport.ecn=false",
                         "run.sample_interval=10ms"}),
              Paths());
}

TEST(IgnoredFields, ASectionIsNamedOnceAndAsAWhole)
{
    EXPECT_EQ(IgnoredOf({"wan_link[0].red.ecn=false",
                         "wan_link[0].policer.rate=1Gbps",
                         "wan_link[0].burst_loss.enter=0.01",
                         "wan_link[0].burst_loss.leave=0.5",
                         "wan_link[0].jitter.mean=1ms",
                         "wan_link[0].jitter.deviation=1ms",
                         "wan_link[0].rate_step[0].at=1s",
                         "wan_link[0].rate_step[0].rate=1Gbps",
                         "wan_link[0].rate_step[1].at=2s",
                         "wan_link[0].rate_step[1].rate=2Gbps",
                         "wan_link[0].outage[0].begin=1s",
                         "wan_link[0].outage[0].end=2s"}),
              (Paths{"wan_link[0].red",
                     "wan_link[0].policer",
                     "wan_link[0].burst_loss",
                     "wan_link[0].jitter",
                     "wan_link[0].rate_step",
                     "wan_link[0].outage"}));
    EXPECT_EQ(IgnoredOf({"wan_link[0].codel.target=1ms"}), Paths{"wan_link[0].codel"});
}

TEST(IgnoredFields, CubicAndRenoAreTheControlsThatTheAnalyticNetworkHas)
{
    EXPECT_EQ(IgnoredOf({"transport.congestion_control=TcpCubic"}), Paths());
    EXPECT_EQ(IgnoredOf({"transport.congestion_control=TcpLinuxReno"}), Paths());
    EXPECT_EQ(IgnoredOf({"transport.congestion_control=ns3::TcpCubic"}), Paths());
    EXPECT_EQ(IgnoredOf({"transport.congestion_control=TcpDctcp", "transport.ecn=true"}),
              (Paths{"transport.congestion_control", "transport.ecn"}));
}

TEST(IgnoredFields, NsThreesOwnSocketsHaveNoModel)
{
    EXPECT_EQ(IgnoredOf({"transport.bearer=DEVICE"}), Paths());
    EXPECT_EQ(WarningsOfIgnored(*LoadSmall({"transport.bearer=STOCK"}).provenance.resolved,
                                AnalyticNetwork::StaticKind()),
              Paths{"the analytic network ignores transport.bearer, and has bulk-tcp's "
                    "connections"});
}

TEST(IgnoredFields, AResolvedScenarioWarnsOfWhatItsSourceWarnsOf)
{
    const std::vector<std::string> sets{"wan_link[0].duplication=0.1",
                                        "transport.autotuning=false"};
    const auto resolved = LoadText(PrintScenario(*LoadSmall(sets).provenance.resolved));
    EXPECT_EQ(FieldsOfPackets(*resolved.provenance.resolved), IgnoredOf(sets));
}

TEST(IgnoredFields, AWarningNamesTheNetwork)
{
    EXPECT_EQ(WarningsOfIgnored(*LoadSmall({"caps.police=true"}).provenance.resolved,
                                AnalyticNetwork::StaticKind()),
              Paths{"the analytic network ignores caps.police"});
    EXPECT_EQ(WarningsOfIgnored(*LoadSmall({"caps.police=true"}).provenance.resolved,
                                PacketNetworkKind()),
              Paths());
}

TEST(NetworkKinds, AreThoseOfTheSchema)
{
    const auto* kinds = scenario::Network::Kind_descriptor();
    ASSERT_EQ(NetworkKinds().size(),
              static_cast<std::size_t>(kinds->value_count() - 1)); // unspecified
    for (int i = 1; i < kinds->value_count(); ++i)
    {
        scenario::Run run;
        run.set_network(static_cast<scenario::Network::Kind>(kinds->value(i)->number()));
        const NetworkKind& kind = NetworkKindOf(run);
        EXPECT_EQ(&kind, NetworkKinds()[static_cast<std::size_t>(i - 1)]);
        EXPECT_EQ(NetworkAssignment(kind.name), "run.network=" + kinds->value(i)->name());
    }
    EXPECT_EQ(NetworkNames(), (Paths{"packet", "analytic"}));
}

} // namespace
} // namespace geotrain
