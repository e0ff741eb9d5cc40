// One quantity against another, several times: a line for each name.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

struct CurveFamily
{
    std::string xLabel; ///< with its unit
    std::string yLabel;
    bool hasPoints = true; ///< marked; false: lines alone
    std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>>
        curves; ///< name and points, by x; at least one of each
};

/// Writes `stem`.png and `stem`.pdf, both axes from 0. Returns the files. Throws TraceError when gnuplot is missing
/// or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawCurveFamily(const CurveFamily& family,
                                                   const std::filesystem::path& stem);

} // namespace geotrain
