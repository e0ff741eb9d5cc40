// SPDX-License-Identifier: GPL-2.0-only
// Lists the memory traffic of Megatron-LM's element-wise kernels, by bytes per element.
#pragma once

namespace geotrain
{

/// ElementTraffic is the bytes that a kernel reads and writes per element, at e bytes per element
/// and 1 per dropout mask entry: inputs + outputs (+ mask).
struct ElementTraffic
{
    explicit constexpr ElementTraffic(double bytesOfElement)
        : element(bytesOfElement)
    {
    }

    double element; ///< bytes per element, e
    double normForward = element + element;
    double normBackward = 2 * element + element;          // gradient, input
    double dropoutAddForward = 2 * element + element + 1; // with the bias, into the residual stream
    double addForward = 2 * element + element;            // the same without dropout
    double dropoutAddBackward =
        (element + 1) + element + 2 * element + element; // and the sum of the two gradients
    double softmaxDropoutForward = 2 * element + (2 * element + 1);
    double softmaxDropoutBackward = 3 * element + (element + 1 + element);
    double layoutChange = element + element;      // heads to the front and back
    double activationForward = element + element; // GELU
    double activationBackward = 2 * element + element;
    double gatedActivationForward = 2 * element + element; // SwiGLU, a result element
    double gatedActivationBackward = 3 * element + 2 * element;
    // The embedding looks up a row, adds the position and drops out. Backward it undoes dropout and
    // sums into the fp32 gradient.
    double embeddingForward = 2 * element + 3 * element + (2 * element + 1);
    double embeddingBackward = (element + 1 + element) + (element + 4 + 4);
    // Vocabulary-parallel cross entropy on fp32 logits converts, finds the maximum, subtracts,
    // exponentiates, sums and divides.
    double lossForward = (element + 4) + 4 + (4 + 4) + (4 + 4) + 4 + (4 + 4);
    double lossBackward = (4 + 4) + (4 + element); // scale, convert
    // FP8 reads an operand of a linear product, and writes it and its transpose.
    double fp8Cast = element + 1 + 1;
};

} // namespace geotrain
