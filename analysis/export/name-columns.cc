// SPDX-License-Identifier: GPL-2.0-only
#include "export/name-columns.h"

#include <fmt/format.h>

#include <cstdint>
#include <set>

namespace geotrain
{

namespace
{

bool
IsWorker(const google::protobuf::FieldDescriptor& field)
{
    static const std::set<std::string> names{"worker", "sender", "receiver"};
    return names.count(field.name()) > 0;
}

bool
IsNode(const google::protobuf::FieldDescriptor& field)
{
    static const std::set<std::string> names{"node", "source", "destination"};
    return names.count(field.name()) > 0;
}

const std::string&
NodeName(const trace::RunHeader& header, std::uint32_t node)
{
    return header.nodes(static_cast<int>(node)).name();
}

} // namespace

std::string
WorkerName(const trace::RunHeader& header, std::uint32_t worker)
{
    const auto& of = header.workers(static_cast<int>(worker));
    return fmt::format(
        "replica {} stage {} ({})", of.replica(), of.stage(), NodeName(header, of.node()));
}

std::string
ConnectionName(const trace::RunHeader& header,
               std::uint32_t source,
               std::uint32_t destination,
               std::uint32_t connection)
{
    return fmt::format(
        "{} -> {} #{}", NodeName(header, source), NodeName(header, destination), connection);
}

std::optional<std::string>
NameInFlow(const trace::RunHeader& header, std::uint32_t number, std::uint32_t connection)
{
    if (number == 0)
    {
        return std::nullopt;
    }
    return fmt::format(
        "{} #{}", header.transfers().flows(static_cast<int>(number) - 1).name(), connection);
}

bool
IsId(const google::protobuf::FieldDescriptor& field)
{
    return IsWorker(field) || IsNode(field);
}

std::string
NameOfId(const google::protobuf::Message& record,
         const google::protobuf::FieldDescriptor& field,
         const trace::RunHeader& header)
{
    const auto id = record.GetReflection()->GetUInt32(record, &field);
    return IsWorker(field) ? WorkerName(header, id) : NodeName(header, id);
}

std::optional<std::string>
FlowName(const google::protobuf::Message& record, const trace::RunHeader& header)
{
    if (record.GetDescriptor() != trace::FlowSample::descriptor())
    {
        return std::nullopt;
    }
    const auto& flow = static_cast<const trace::FlowSample&>(record);
    return NameInFlow(header, flow.flow_number(), flow.connection())
        .value_or(ConnectionName(header, flow.source(), flow.destination(), flow.connection()));
}

} // namespace geotrain
