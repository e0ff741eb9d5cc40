// SPDX-License-Identifier: GPL-2.0-only
#include "loader/in-network-checks.h"

#include "execution/collective-catalogue.h"
#include "loader/catalogue-names.h"
#include "schema/scenario.pb.h"
#include "training-plan/collective-times.h"

#include <fmt/format.h>

namespace geotrain
{

using scenario::Scenario;

bool
IsReplicated(const Scenario& scenario)
{
    const auto kind = scenario.parallelism().data_parallelism();
    return kind == scenario::DATA_PARALLELISM_UNSPECIFIED || kind == scenario::REPLICATED;
}

bool
IsInNetwork(const Scenario& scenario)
{
    return scenario.parallelism().data_parallelism() == scenario::IN_NETWORK;
}

bool
IsInSwitch(const scenario::InNetwork& written)
{
    return written.acknowledgement() == scenario::InNetwork::RESULT;
}

void
CheckSwitchShape(const Scenario& scenario, const ScenarioFile& file)
{
    const auto& parallelism = scenario.parallelism();
    const auto refuse = [&file](bool isBroken, const char* field, const std::string& value)
    {
        if (isBroken)
        {
            file.Fail(field, value, "must not be so with in_network.acknowledgement RESULT");
        }
    };
    refuse(parallelism.pipeline_stages() != 1,
           "parallelism.pipeline_stages",
           std::to_string(parallelism.pipeline_stages()));
    refuse(parallelism.shard_optimizer(), "parallelism.shard_optimizer", "true");
    refuse(parallelism.across() == scenario::REPLICAS_HIERARCHICAL,
           "parallelism.across",
           "REPLICAS_HIERARCHICAL");
    refuse(scenario.run().scale() != 1, "run.scale", std::to_string(scenario.run().scale()));
}

void
CheckLayeredFields(const scenario::Parallelism& parallelism, const ScenarioFile& file)
{
    const auto refuse = [&file](bool isSet, const char* field, const char* rule)
    {
        if (isSet)
        {
            file.Fail(field, "", rule);
        }
    };
    const auto kind = parallelism.data_parallelism();
    const char* const ofZero3 = "must not be set without parallelism.data_parallelism ZERO3, whose "
                                "collectives it is of";
    const bool isZero3 = kind == scenario::ZERO3;
    refuse(!isZero3 && parallelism.has_collectives(), "parallelism.collectives", ofZero3);
    refuse(!isZero3 && parallelism.has_non_preemptive(), "parallelism.non_preemptive", ofZero3);
    refuse(
        !isZero3 && parallelism.has_gemm_interference(), "parallelism.gemm_interference", ofZero3);
    refuse(
        !isZero3 && kind != scenario::IN_NETWORK && parallelism.has_prefetch(),
        "parallelism.prefetch",
        "must not be set without parallelism.data_parallelism ZERO3 or IN_NETWORK: replicas that "
        "keep all layers fetch none");
}

void
CheckCollective(const Scenario& scenario, const ScenarioFile& file)
{
    const auto& parallelism = scenario.parallelism();
    if (!parallelism.has_collective())
    {
        return;
    }
    const std::string& name = parallelism.collective();
    const auto refuse = [&](bool isBroken, const std::string& rule)
    {
        if (isBroken)
        {
            file.Fail("parallelism.collective", name, rule);
        }
    };
    if (name != fastestCollective)
    {
        RequireCollective(name, "parallelism.collective", file);
    }
    refuse(parallelism.has_collectives(), "must not be set beside parallelism.collectives");
    refuse(IsInNetwork(scenario) || scenario.has_in_network(),
           "must not be set where an in-network optimizer, or its switch, carries collectives");
    const CollectiveAlgorithm* const algorithm = FindCollective(name);
    refuse(algorithm != nullptr && algorithm->rewrite != nullptr &&
               (!IsReplicated(scenario) || (parallelism.across() != scenario::REPLICAS &&
                                            parallelism.across() !=
                                                scenario::REPLICAS_HIERARCHICAL)),
           "must not be so unless parallelism.across is REPLICAS, of whole models");
    refuse(parallelism.across() == scenario::REPLICAS_HIERARCHICAL && name != "hierarchical",
           "must not be so with parallelism.across REPLICAS_HIERARCHICAL");
}

void
CheckLayeredShape(const Scenario& scenario, const ScenarioFile& file)
{
    const auto& parallelism = scenario.parallelism();
    const std::string kind = scenario::DataParallelism_Name(parallelism.data_parallelism());
    const auto refuse = [&](bool isBroken, const char* field, const std::string& value)
    {
        if (isBroken)
        {
            file.Fail(field, value, "must not be so with parallelism.data_parallelism " + kind);
        }
    };
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    refuse(parallelism.pipeline_stages() != 1,
           "parallelism.pipeline_stages",
           number(parallelism.pipeline_stages()));
    refuse(scenario.schedule().virtual_stages() > 1,
           "schedule.virtual_stages",
           number(scenario.schedule().virtual_stages()));
    refuse(scenario.schedule().has_orders(), "schedule.orders", scenario.schedule().orders());
    refuse(scenario.schedule().all_reduce_buckets() > 1,
           "schedule.all_reduce_buckets",
           number(scenario.schedule().all_reduce_buckets()));
    // Each layer's gradients go on their own as soon as its backward has run.
    refuse(parallelism.has_gradient_bucket(),
           "parallelism.gradient_bucket",
           parallelism.gradient_bucket());
    refuse(scenario.has_inference(), "inference", "");
    refuse(scenario.has_fill_jobs(), "fill_jobs", "");
    refuse(scenario.sharing() == scenario::TEMPORAL, "sharing", "TEMPORAL");
    refuse(parallelism.across() == scenario::REPLICAS_HIERARCHICAL,
           "parallelism.across",
           "REPLICAS_HIERARCHICAL");
    refuse(parallelism.shard_optimizer(), "parallelism.shard_optimizer", "true");
    refuse(IsInNetwork(scenario) && scenario.model().microbatches() != 1,
           "model.microbatches",
           number(scenario.model().microbatches()));
    refuse(IsInNetwork(scenario) && scenario.run().scale() != 1,
           "run.scale",
           number(scenario.run().scale()));
}

void
CheckBetweenDataCentres(const scenario::InNetwork& written,
                        const InNetworkLayout& layout,
                        const ScenarioFile& file)
{
    const bool isOne = layout.otherSites.empty();
    const auto refuse = [&file](bool isSet, const char* field, const char* rule)
    {
        if (isSet)
        {
            file.Fail(field, "", rule);
        }
    };
    const char* const oneAlone = "must not be set with replicas in another data centre than the "
                                 "servers'";
    refuse(!isOne && written.adds_at_server(), "in_network.adds_at_server", oneAlone);
    refuse(!isOne && written.acknowledgement() != scenario::InNetwork::HEARTBEAT,
           "in_network.acknowledgement",
           oneAlone);
    refuse(isOne && written.has_relay_buffer(),
           "in_network.relay_buffer",
           "must not be set where all replicas are in the servers' data centre");
}

} // namespace geotrain
