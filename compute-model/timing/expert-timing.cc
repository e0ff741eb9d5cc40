// SPDX-License-Identifier: GPL-2.0-only
#include "timing/expert-timing.h"

#include "workload/expert-loads.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace geotrain
{

namespace
{

// Fitted to a Mixtral and a Qwen3 layer on an H100 (README.md). A product of a group has this share
// of the efficiency of one product of its size.
constexpr double groupedShare = 0.90;

// Elements that are read or written per element of a row besides the products. Forward, rows are
// gathered (2), weighed in fp32 and added to their tokens by atomic additions; backward the gradients
// of the sum are spread over the rows, and those of the rows added up.
constexpr double forwardTouches = 17;
constexpr double backwardTouches = 6;

// A serving engine's kernels read rows where they are, write weighed results and add them up.
constexpr double inferenceTouches = 3;

// Kernels of the router in a pass: softmax, the largest scores, their sorting and counting.
constexpr double routerKernels = 45;
constexpr double inferenceRouterKernels = 4;

} // namespace

ExpertTiming::ExpertTiming(const TransformerSpec& shape,
                           const GpuSpec& gpu,
                           const StageExecution& execution)
    : m_linearKernels(gpu, shape.precision),
      m_kernels(gpu, shape.precision == Precision::Fp8 ? Precision::Bf16 : shape.precision),
      m_traffic(ActivationBytes(shape.precision), gpu.efficiency.elementKernels),
      m_tokens(static_cast<double>(execution.microbatchSize) * shape.sequence),
      m_hidden(shape.hidden),
      m_experts(shape.experts.count),
      m_width(static_cast<double>(shape.experts.width) / execution.tensorParallel),
      m_sharedWidth(std::ceil(static_cast<double>(shape.experts.sharedWidth) /
                              execution.tensorParallel)),
      m_gated(shape.gated)
{
    if (shape.experts.width % execution.tensorParallel != 0)
    {
        throw std::invalid_argument("tensorParallel (" + std::to_string(execution.tensorParallel) +
                                    ") must divide experts.width (" +
                                    std::to_string(shape.experts.width) + ")");
    }
    const double even = static_cast<double>(shape.experts.perToken) / m_experts;
    for (const double load : ExpertLoads(shape.experts))
    {
        const double chance = 1 - std::pow(1 - std::min(load * even, 1.0), m_tokens);
        const double rows = load * even * m_tokens;
        m_rows += rows;
        m_works.push_back({rows / chance, chance});
    }
}

/// Times one grouped kernel, in which each expert multiplies its rows.
double
ExpertTiming::Grouped(double in, double out) const
{
    double seconds = m_linearKernels.Gap();
    for (const Work& work : m_works)
    {
        seconds += work.chance * m_linearKernels.PartOfKernel({work.rows, in, out}, groupedShare);
    }
    return seconds;
}

double
ExpertTiming::Products() const
{
    return Grouped(m_hidden, m_gated ? 2 * m_width : m_width) + Grouped(m_width, m_hidden);
}

double
ExpertTiming::SharedProducts() const
{
    if (m_sharedWidth == 0)
    {
        return 0;
    }
    return m_linearKernels.Matmul(m_tokens, m_hidden, m_gated ? 2 * m_sharedWidth : m_sharedWidth) +
           m_linearKernels.Matmul(m_tokens, m_sharedWidth, m_hidden);
}

double
ExpertTiming::Router() const
{
    return m_kernels.Matmul(m_tokens, m_hidden, m_experts);
}

PassSeconds
ExpertTiming::Pass() const
{
    const double rowBytes = m_traffic.element * m_rows * m_hidden;
    const double inner = m_rows * m_width + m_tokens * m_sharedWidth;
    const double parts = m_sharedWidth > 0 ? 2 : 1; // routed and shared experts
    const double weights =
        m_hidden * ((m_gated ? 3 : 2) * (m_experts * m_width + m_sharedWidth) + m_experts);
    const double products = Products() + SharedProducts() + Router();
    PassSeconds seconds;
    seconds.forward =
        products +
        m_kernels.Elements(forwardTouches * rowBytes +
                               inner * (m_gated ? m_traffic.gatedActivationForward
                                                : m_traffic.activationForward),
                           routerKernels + parts * (m_gated ? 2 : 1));
    seconds.backwardInput =
        products +
        m_kernels.Elements(backwardTouches * rowBytes +
                               inner * (m_gated ? m_traffic.gatedActivationBackward
                                                : m_traffic.activationBackward),
                           routerKernels + parts * (m_gated ? 4 : 1));
    seconds.backwardWeight =
        products + m_kernels.Elements(m_traffic.gradientSum * weights, 1 + 2 * parts);
    return seconds;
}

std::vector<double>
ExpertTiming::InferenceKernels() const
{
    const double rowBytes = m_traffic.element * m_rows * m_hidden;
    const double activation =
        (m_rows * m_width + m_tokens * m_sharedWidth) *
        (m_gated ? m_traffic.gatedActivationForward : m_traffic.activationForward);
    return {Router() + m_kernels.Elements(0, inferenceRouterKernels),
            Grouped(m_hidden, m_gated ? 2 * m_width : m_width),
            m_kernels.Elements(activation, m_gated ? 2 : 1),
            Grouped(m_width, m_hidden),
            m_kernels.Elements(inferenceTouches * rowBytes, 1),
            SharedProducts()};
}

} // namespace geotrain
