// SPDX-License-Identifier: GPL-2.0-only
// Resolves the names of ns-3 types that a scenario gives: congestion controls and queue discs, with
// or without "ns3::" or "geotrain::" in front.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "loader/assignment.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-network/helper/bearer-kinds.h"

#include <string>
#include <vector>

namespace geotrain
{

/// A NetworkType is an ns-3 type that can be used by name.
struct NetworkType
{
    std::string name;            ///< TypeId, such as "ns3::TcpCubic"
    std::string group;           ///< group of the TypeId in ns-3
    std::string shortNames = ""; ///< other names that find it: "bbr3, bbrv3"
};

/// Returns all congestion controls of ns-3, of geotrain and of the libraries that are loaded, sorted by
/// name.
std::vector<NetworkType> CongestionControls();

/// Returns the kind of the transport's bearer.
const ns3::BearerKind& BearerOf(const scenario::Transport& transport);

/// Throws ConfigError where the transport's bearer doesn't have `feature`; it names the bearers
/// that have it.
void RequireOfBearer(const scenario::Transport& transport,
                     ns3::BearerFeature feature,
                     const std::string& field,
                     const std::string& value,
                     const ScenarioFile& file);

/// Returns the TypeId of a congestion control, which ns3::LookUpCongestionControl() finds. Throws ConfigError that names `field`.
std::string
FullNameOfControl(const std::string& name, const std::string& field, const ScenarioFile& file);

/// Throws ConfigError where the congestion control with the TypeId `control` needs AccECN, which the
/// bearer of `transport` does not have, and where `transport` asks for ECN and the control does not
/// react to marks.
void CheckAnswersMarks(const scenario::Transport& transport,
                       const std::string& control,
                       const ScenarioFile& file);

/// Returns whether the congestion control with the TypeId `control` needs AccECN.
bool NeedsAccurateEcn(const std::string& control);

/// Returns whether connections with the TypeId `control` can have offloads.
bool CanOffload(const std::string& control);

/// Returns the settings of connections that `transport` sets.
ns3::BulkTcpOverrides TcpOverridesOf(const scenario::Transport& transport);

/// Returns the settings that assignments to fields of a transport make, as "min_rto=1s". Throws
/// ConfigError where one breaks a rule of its field.
ns3::BulkTcpOverrides TcpOverridesOf(const std::vector<Assignment>& assignments);

/// Checks the transport and sets the full name of its congestion control. Throws ConfigError.
void ResolveTransport(scenario::Transport& transport, const ScenarioFile& file);

/// Sets the full name of a link's queue disc, if it has one. Throws ConfigError that names `field`.
void ResolveQueueDisc(scenario::WanLink& link, const std::string& field, const ScenarioFile& file);

} // namespace geotrain
