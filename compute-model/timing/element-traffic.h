// SPDX-License-Identifier: GPL-2.0-only
// Lists the memory traffic of element-wise kernels, by bytes per element.
#pragma once

#include "hardware/gpu-spec.h"

namespace geotrain
{

/// ElementTraffic is the bytes that kernels read and write per element, at e bytes per element
/// and 1 per dropout mask entry: inputs + outputs (+ mask).
struct ElementTraffic
{
    constexpr ElementTraffic(double bytesOfElement, ElementKernels kernels)
        : element(bytesOfElement),
          isOld(kernels == ElementKernels::Megatron2021)
    {
    }

    double element; ///< bytes per element, e
    bool isOld;     ///< Megatron-LM's of 2021
    double normForward = element + element;
    double normBackward = 2 * element + element;           // gradient, input
    double normWeightBackward = isOld ? 0 : 2 * element;   // of a kernel of its own
    double addForward = 2 * element + element;             // into the residual stream
    double residualForward = addForward + (isOld ? 1 : 0); // after dropout
    double residualBackward = // the sum of the two gradients, and dropout's
        2 * element + element + (isOld ? (element + 1) + element : 0);
    double softmaxForward = 2 * element + (isOld ? 2 * element + 1 : 0);
    double softmaxBackward = 3 * element + (isOld ? element + 1 + element : 0);
    double layoutChange = isOld ? element + element : 0; // heads to the front and back
    double splitBackward =
        isOld ? 0 : element + element;            // gradients of queries, keys and values joined
    double activationForward = element + element; // GELU
    double activationBackward = 2 * element + element;
    // SwiGLU, a result element. Eager kernels do SiLU and the product apart; backward they make two
    // gradients of the product, that of SiLU, and join the gradients of both halves.
    double gatedActivationForward = isOld ? 2 * element + element : 2 * element + 3 * element;
    double gatedActivationBackward =
        isOld ? 3 * element + 2 * element : 2 * 3 * element + 3 * element + 4 * element;
    // Eager kernels add each microbatch's gradients to the sum; Megatron-LM's products do that.
    double gradientSum = isOld ? 0 : 2 * element + element;
    // The embedding looks up a row. Megatron-LM adds the position and drops out; backward it undoes
    // dropout and sums into the fp32 gradient, where eager kernels make a gradient of the whole table.
    double embeddingForward = 2 * element + (isOld ? 3 * element + (2 * element + 1) : 0);
    double embeddingBackward = isOld ? (element + 1 + element) + (element + 4 + 4) : element;
    double embeddingTable = isOld ? 0 : element + gradientSum; // an element of the table
    // Cross entropy on fp32 logits. Megatron-LM's is vocabulary-parallel: it converts, finds the
    // maximum, subtracts, exponentiates, sums and divides. The eager one converts, and its softmax reads
    // twice and writes; backward it fills in zeros, and reads gradient and softmax.
    double lossForward =
        isOld ? (element + 4) + 4 + (4 + 4) + (4 + 4) + 4 + (4 + 4) : (element + 4) + (4 + 4 + 4);
    double lossBackward = isOld ? (4 + 4) + (4 + element) : 4 + (4 + 4 + 4) + (4 + element);
    // FP8 reads an operand of a linear product, and writes it and its transpose.
    double fp8Cast = element + 1 + 1;
};

} // namespace geotrain
