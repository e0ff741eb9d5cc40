// SPDX-License-Identifier: GPL-2.0-only
// Holds the times of a part of a model by pass.
#pragma once

namespace geotrain
{

/// PassSeconds is the time of one microbatch in seconds, with the backward pass in its two halves.
struct PassSeconds
{
    double forward = 0;
    double backwardInput = 0;
    double backwardWeight = 0;
};

} // namespace geotrain
