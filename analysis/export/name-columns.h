// SPDX-License-Identifier: GPL-2.0-only
// Explains the ids in a trace's records: the names of workers, nodes and connections.
#pragma once

#include "schema/trace.pb.h"

#include <optional>
#include <string>

namespace geotrain
{

/// Returns a worker's name, such as "replica 0 stage 1 (dc-a/0)".
std::string WorkerName(const trace::RunHeader& header, std::uint32_t worker);

/// Returns a connection's name, such as "dc-a/0 -> dc-b/0 #2".
std::string ConnectionName(const trace::RunHeader& header,
                           std::uint32_t source,
                           std::uint32_t destination,
                           std::uint32_t connection);

/// Returns the name of a connection of flow `number`, from 1, of a run of flows, such as "bbr #2";
/// nothing where the number is 0.
std::optional<std::string>
NameInFlow(const trace::RunHeader& header, std::uint32_t number, std::uint32_t connection);

/// Returns whether `field` is the id of a worker or a node.
bool IsId(const google::protobuf::FieldDescriptor& field);

/// Returns the name behind the id in `field`.
std::string NameOfId(const google::protobuf::Message& record,
                     const google::protobuf::FieldDescriptor& field,
                     const trace::RunHeader& header);

/// Returns the name of the connection of a FlowSample; nullopt for other records.
std::optional<std::string> FlowName(const google::protobuf::Message& record,
                                    const trace::RunHeader& header);

} // namespace geotrain
