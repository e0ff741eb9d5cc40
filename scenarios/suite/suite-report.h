// SPDX-License-Identifier: GPL-2.0-only
// Writes what a suite has drawn as pages: index.md for repositories, and report.html, which holds
// the pictures and needs no other file.
#pragma once

#include "suite/suite.h"

#include <filesystem>
#include <string>

namespace geotrain
{

/// Returns the captions of the figures that are drawn in `folder`, with the folders of their runs,
/// as Markdown.
std::string SuiteIndex(const Suite& suite, const std::filesystem::path& folder);

/// Writes report.html with the figures that are drawn in `folder`, each with its question, its
/// setting and its runs. Throws TraceError when it can't be written.
void WriteSuiteReport(const Suite& suite, const std::filesystem::path& folder);

} // namespace geotrain
