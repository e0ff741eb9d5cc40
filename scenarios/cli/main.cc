// SPDX-License-Identifier: GPL-2.0-only
// The geotrain program; what it does is cli/program.h's.
#include "cli/program.h"

int
main(int argc, char** argv)
{
    return geotrain::RunProgram(argc, argv);
}
