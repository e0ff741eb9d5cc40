// SPDX-License-Identifier: GPL-2.0-only
// The geotrain program: one verb per call. With --json, stdout has one JSON object, also where the
// verb fails: {"error": {"message": ..., "exit_code": ...}}.
#pragma once

#include <string>

namespace geotrain
{

/// Takes main()'s arguments, and the git commit of the build; returns the exit code.
int RunProgram(int argc, char** argv, const std::string& commit);

} // namespace geotrain
