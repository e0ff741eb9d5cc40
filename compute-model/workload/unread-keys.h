// SPDX-License-Identifier: GPL-2.0-only
// Judges the keys of a config.json that the import didn't look up.
#pragma once

#include "workload/config-keys.h"
#include "workload/transformer-spec.h"

namespace geotrain
{

/// Ignores keys that neither sizes nor operations depend on, adds a note to the model for parts that
/// are left out and for keys that are not understood, and throws ConfigError for those that add
/// weights or operations of which a TransformerSpec knows nothing.
void CheckUnreadKeys(const ConfigKeys& config, TransformerSpec& model);

} // namespace geotrain
