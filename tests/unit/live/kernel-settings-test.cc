// SPDX-License-Identifier: GPL-2.0-only
#include "live/kernel-settings.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(KernelSettings, WhatTheKernelDoesNotTakeIsNamed)
{
    ns3::BulkTcpOverrides tcp;
    tcp.preset = ns3::TcpPreset::Linux; // which says whether a live connection is paced
    tcp.pacing = true;
    EXPECT_EQ(WarningOfKernelSettings(tcp), "");
    tcp.hyStart = false;
    tcp.offloads = true;
    EXPECT_EQ(WarningOfKernelSettings(tcp),
              "of transport, hystart, offload change nothing live: the kernel's TCP has its own "
              "settings");
}

} // namespace
} // namespace geotrain
