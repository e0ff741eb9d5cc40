// SPDX-License-Identifier: GPL-2.0-only
// Says what a live run gave: for people, as JSON, and as the content of live.json.
#pragma once

#include "live/live-run.h"

#include <nlohmann/json.hpp>

#include <string>

namespace geotrain
{

/// Returns how the WAN, the executor, its agents and the programs did: the content of live.json.
nlohmann::ordered_json LiveReportJson(const LiveResult& result);

/// Returns the metrics of the run and its report.
nlohmann::ordered_json LiveJson(const LiveResult& result, const std::string& folder);

/// Returns them as a table and sentences.
std::string LiveText(const LiveResult& result, const std::string& folder);

} // namespace geotrain
