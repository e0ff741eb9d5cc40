// SPDX-License-Identifier: GPL-2.0-only
// The geotrain program; what it does is cli/program.h's. The build writes the source with its git
// commit anew, and only this program is linked again with it.
#include "cli/program.h"

namespace geotrain
{
extern const char* const buildCommit;
}

int
main(int argc, char** argv)
{
    return geotrain::RunProgram(argc, argv, geotrain::buildCommit);
}
