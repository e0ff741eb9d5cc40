// SPDX-License-Identifier: GPL-2.0-only
// The rules that scenario.proto writes beside its fields: fills in defaults, and checks each
// number, quantity and text that is there.
#pragma once

#include "loader/queue-size.h"

#include <google/protobuf/message.h>

#include <string>

namespace geotrain
{

/// Walks `message` (its lists and the messages that it has). Throws ConfigError that names `file`,
/// the field's path (after `prefix`), its value and the rule that it breaks.
void ApplyFieldRules(google::protobuf::Message& message,
                     const std::string& file,
                     const std::string& prefix = "");

} // namespace geotrain
