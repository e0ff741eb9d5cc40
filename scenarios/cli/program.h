// SPDX-License-Identifier: GPL-2.0-only
// The geotrain program: one verb per call.
#pragma once

namespace geotrain
{

/// Takes main()'s arguments; returns the exit code.
int RunProgram(int argc, char** argv);

} // namespace geotrain
