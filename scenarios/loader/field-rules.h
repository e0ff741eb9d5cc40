// SPDX-License-Identifier: GPL-2.0-only
// Applies the rules that scenario.proto writes beside its fields: fills in defaults, and checks
// each number, quantity and text that is set, and with which others it is set.
#pragma once

#include "loader/queue-size.h"

#include <google/protobuf/message.h>

#include <string>

namespace geotrain
{

/// Applies the rules to `message` and to all messages and lists in it. Throws ConfigError that
/// names `file`, the field's path, its value and the rule that it breaks.
void ApplyFieldRules(google::protobuf::Message& message, const std::string& file);

} // namespace geotrain
