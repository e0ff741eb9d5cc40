// SPDX-License-Identifier: GPL-2.0-only
// What a scenario describes once all of it is read and checked: a testbed, the workloads that run on
// it, how long and by which seed, and where all of this came from. Nothing is parsed after it.
#pragma once

#include "execution/network.h"
#include "fill-jobs/pipe-filler.h"
#include "in-network/in-network-settings.h"
#include "loader/control-library.h"
#include "loader/cross-traffic-section.h"
#include "loader/inference-section.h"
#include "loader/run-settings.h"
#include "loader/schema-types.h"
#include "loader/transfer-section.h"
#include "training-plan/prepare-plan.h"
#include "units/random-stream.h"
#include "wan/wan-paths.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// Provenance says where an experiment came from.
struct Provenance
{
    std::string file; ///< name of the file in error messages
    /// Every default is filled in; loading its text gives it again. To be printed, not to be read.
    std::shared_ptr<const scenario::Scenario> resolved;
    std::string headComment; ///< lines of comment at the top of its text: the question it answers
    std::vector<ControlLibrary> libraries; ///< of run.load and --load
};

/// A MessageKind tells messages apart by what they carry.
enum class MessageKind : std::uint8_t
{
    Activations, ///< of pipelines, and their gradients
    Gradients,   ///< of collectives, with parameters and tokens
    Other        ///< all that is no training
};

/// A TestbedSpec is the network that all workloads share.
struct TestbedSpec
{
    WanTopology wan;
    std::shared_ptr<const WanPaths> paths; ///< through `wan`
    TransportSettings transport;
    AnalyticTransport analytic;          ///< the transport as the analytic network has it
    std::vector<std::string> linkQueues; ///< queue of each WAN link, as the scenario writes it
    /// Index into wan.classes of the connections of each owner; others have 0.
    std::vector<std::uint32_t> classOfOwner;
};

/// A FillSection is the resolved fill_jobs of a scenario.
struct FillSection
{
    std::vector<FillJob> jobs;       ///< in the order of arrival; empty where there are none
    std::vector<FillWorker> workers; ///< by worker, in the order of the placement
    PipeFillerOptions options;
};

/// A TrainingSpec is one training job. It counts its own nodes from 0.
struct TrainingSpec
{
    std::string name;                 ///< of the job; empty where the scenario has no `job`
    Duration start;                   ///< since time 0
    /// Of the connections of its pipelines' messages: its number among the jobs. Where classes tell kinds
    /// of messages apart, then those of collectives and of others (MessageKind).
    std::vector<OwnerIndex> owners{0};
    std::vector<std::uint32_t> nodes; ///< node of the testbed, by node of the job
    TrainingJob job;
    Cluster cluster; ///< the job's nodes on the testbed's WAN
    TrainingPlan plan;
    PreparedPlan prepared;
    std::optional<InNetworkClusterSettings> inNetwork; ///< where parameters come from one
    std::optional<InNetworkWan> inNetworkWan;          ///< where it is in several data centres
    FillSection fill;
    std::optional<InferenceSection> inference;

    /// Returns the name of one of its fields in an error.
    std::string NameOfField(const std::string& field) const
    {
        return name.empty() ? field : "job \"" + name + "\"." + field;
    }

    /// Returns the seed of the job's own draws, so that jobs of one run draw apart.
    std::uint64_t SeedFrom(std::uint64_t ofRun) const
    {
        return name.empty() ? ofRun : ofRun + static_cast<std::uint64_t>(StreamNumber("job", name));
    }
};

/// An Experiment is a scenario that can run.
struct Experiment
{
    Provenance provenance;
    std::vector<std::string> warnings; ///< what to look at before trusting the result
    TestbedSpec testbed;
    std::vector<TrainingSpec> jobs;
    std::optional<TransferSection> transfer; ///< bulk messages or flows
    std::vector<CrossTrafficPair> crossTraffic;
    RunSettings run;
};

} // namespace geotrain
