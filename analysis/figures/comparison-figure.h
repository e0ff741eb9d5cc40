// Variants side by side: a bar of the iteration time and a stacked bar of where the GPU time went.
#pragma once

#include "metrics/summary.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

struct VariantSummary
{
    std::string variant; ///< its name, of any length: long ones are wrapped
    Summary summary;
};

/// Writes `stem`.png and `stem`.pdf, variants from top to bottom. Returns the files. `variants` is
/// not empty. Throws TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawComparison(const std::vector<VariantSummary>& variants,
                                                  const std::filesystem::path& stem);

} // namespace geotrain
