// SPDX-License-Identifier: GPL-2.0-only
// Kills live runs at random moments. The slow tests of live-wan have a hundred of them.
#include "live-kills.h"

namespace geotrain
{

namespace
{

TEST_F(LiveKills, FiveLeaveNothing)
{
    KillAtRandom(5, 5);
}

} // namespace

} // namespace geotrain
