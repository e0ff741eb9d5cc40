// SPDX-License-Identifier: GPL-2.0-only
// Operators and programs of fill jobs that tests make up.
#pragma once

#include "fill-jobs/fill-job.h"

#include <string>

namespace geotrain
{

constexpr std::int64_t mega = 1000000;

/// Named by its milliseconds, at 1 TFLOP/s.
inline FillOperator
Operator(int milliseconds, int megabytes, bool checkpointable = true)
{
    return {"op" + std::to_string(milliseconds),
            Duration::Milliseconds(milliseconds),
            Bytes::Of(megabytes * mega),
            Flops::Of(milliseconds * 1e9),
            checkpointable};
}

} // namespace geotrain
