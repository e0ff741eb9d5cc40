// SPDX-License-Identifier: GPL-2.0-only
// Applies what scenario.proto says of a field's neighbours: with which others it must not be set
// (not_with), what it needs, where it changes nothing (unused), and whether networks without packets
// ignore it (packets_only).
//
// A condition is one or more terms joined by " & ", all of which must hold: "PATH" (it is set),
// "!PATH", "PATH=A|B" and "PATH!=A|B". A path begins in the field's own message, or in the nearest
// one around it that has such a field. A field is set where it is there and not its default. A
// condition that begins with the field itself is asked of its default, too.
#pragma once

#include "execution/network-kind.h"
#include "loader/field-path.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Checks the conditions of `message` and of all messages in it, in which defaults have been filled
/// in; also that one of the fields marked one_of is set, and that lists have no unique value twice.
/// Throws ConfigError that names `file`, the field's path, its value and what it does not go with.
void CheckConditions(const ProtoMessage& message, const std::string& file);

/// Returns one warning per set field of a resolved scenario that changes nothing on any network, such
/// as "caps.queue changes nothing: no cap is set".
std::vector<std::string> WarningsOfUnused(const scenario::Scenario& resolved);

/// Returns the paths of the set fields of a resolved scenario that a network without packets ignores,
/// such as "wan_link[0].duplication"; 0 is as good as not set. An ignored section is listed once,
/// without its fields and without an index of its own.
std::vector<std::string> FieldsOfPackets(const scenario::Scenario& resolved);

/// Returns one warning per field that `kind` ignores: "the analytic network ignores caps.police".
std::vector<std::string> WarningsOfIgnored(const scenario::Scenario& resolved,
                                           const NetworkKind& kind);

} // namespace geotrain
