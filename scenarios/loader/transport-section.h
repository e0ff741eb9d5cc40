// SPDX-License-Identifier: GPL-2.0-only
// Resolves the names of ns-3 types that a scenario gives: congestion controls and queue discs, with
// or without "ns3::" or "geotrain::" in front.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-network/helper/bearer.h"

#include <string>
#include <vector>

namespace geotrain
{

/// An ns-3 type that can be used by name.
struct NetworkType
{
    std::string name; ///< "ns3::TcpCubic"
    std::string group;
};

/// All congestion controls, of ns-3 and ours, by name.
const std::vector<NetworkType>& CongestionControls();

/// All queue discs of this ns-3, by name.
const std::vector<NetworkType>& QueueDiscs();

/// What the bearer of a scenario's transport is.
const ns3::BearerKind& BearerOf(const scenario::Transport& transport);

/// Throws ConfigError that names the bearers with `feature` where the transport's has it not.
void RequireOfBearer(const scenario::Transport& transport,
                     ns3::BearerFeature feature,
                     const std::string& field,
                     const std::string& value,
                     const ScenarioFile& file);

/// The TypeId of a congestion control; "ns3::" may be left out. Throws ConfigError that names
/// `field`.
std::string
FullNameOfControl(const std::string& name, const std::string& field, const ScenarioFile& file);

/// Throws ConfigError where `transport` asks for ECN and `control`, a full name, does not answer
/// marks.
void CheckAnswersMarks(const scenario::Transport& transport,
                       const std::string& control,
                       const ScenarioFile& file);

/// What `transport` sets of its connections.
ns3::BulkTcpOverrides TcpOverridesOf(const scenario::Transport& transport);

/// Completes the congestion control's name. Throws ConfigError.
void ResolveTransport(scenario::Transport& transport, const ScenarioFile& file);

/// Completes a link's queue disc, if it has one. Throws ConfigError that names `field`.
void ResolveQueueDisc(scenario::WanLink& link, const std::string& field, const ScenarioFile& file);

} // namespace geotrain
