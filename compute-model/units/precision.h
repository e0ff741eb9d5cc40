// SPDX-License-Identifier: GPL-2.0-only
// Names the number formats of training, and says how many bytes their values take.
#pragma once

#include <array>
#include <cstdint>

namespace geotrain
{

/// Precision is the format in which training multiplies matrices.
enum class Precision : std::uint8_t
{
    Fp32,
    Tf32, ///< fp32 in memory, rounded for the tensor cores
    Bf16,
    Fp16,
    Fp8 ///< the layers' linear products alone; the rest is bf16, as in practice
};

constexpr std::array<Precision, 5> allPrecisions{
    Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16, Precision::Fp8};

/// Returns the bytes of an activation, and of a gradient between layers.
constexpr std::uint32_t
ActivationBytes(Precision precision)
{
    return precision == Precision::Fp32 || precision == Precision::Tf32 ? 4 : 2;
}

/// Returns the format's name, such as "BF16".
constexpr const char*
NameOf(Precision precision)
{
    switch (precision)
    {
    case Precision::Fp32:
        return "FP32";
    case Precision::Tf32:
        return "TF32";
    case Precision::Bf16:
        return "BF16";
    case Precision::Fp16:
        return "FP16";
    case Precision::Fp8:
        return "FP8";
    }
    return "";
}

} // namespace geotrain
