// SPDX-License-Identifier: GPL-2.0-only
// Kills a hundred live runs at random moments, a parent, an agent, the WAN or a program.
#include "live-kills.h"

namespace geotrain
{

namespace
{

TEST_F(LiveKills, AHundredLeaveNothing)
{
    KillAtRandom(1, 100);
}

} // namespace

} // namespace geotrain
