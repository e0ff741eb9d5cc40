// SPDX-License-Identifier: GPL-2.0-only
// Sets any field of a scenario by its path, through Protobuf's reflection. --set, --vary and the
// variants' `set` lines use it.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>

namespace geotrain
{

using ProtoMessage = google::protobuf::Message; ///< not geotrain::Message

/// `path` is written as in error messages: "model.microbatches", "wan_link[1].delay". An index may
/// be one past the last entry, which adds one; "wan_link[*].delay" is that of every entry. `value`
/// is as in the text format, without quotes for strings: "32", "20ms", "TEMPORAL", "[2, 2, 1]" for
/// a list, "{rate: \"5Gbps\"}" for a message; empty clears the field. Throws ConfigError with
/// `file` for a path or value that the schema doesn't have.
void SetField(ProtoMessage& message,
              const std::string& path,
              const std::string& value,
              const std::string& file);

/// Returns `text` as a string of the text format, with quotes and escapes.
std::string Quoted(const std::string& text);

/// Returns the names that a scenario may write, as in "A, B or C".
std::string ValuesOf(const google::protobuf::EnumDescriptor& enumeration);

} // namespace geotrain
