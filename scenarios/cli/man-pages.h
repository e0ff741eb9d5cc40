// SPDX-License-Identifier: GPL-2.0-only
// Writes geotrain's manual pages from the tables of options that parse its command line.
#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>

namespace geotrain
{

/// Writes geotrain.1, and geotrain-VERB.1 for each verb, into `folder`, which may not be there yet.
void WriteManPages(const CLI::App& app, const std::filesystem::path& folder);

} // namespace geotrain
