// SPDX-License-Identifier: GPL-2.0-only
// Collectives in logarithmic steps, as NCCL's PAT has them (Jeaugey, NVIDIA 2024), by the algorithm of
// Bruck et al. (IEEE TPDS 1997): with n members an all-gather takes ceil(log2 n) steps, of which the
// k-th sends min(2^k, n - 2^k) n-ths of the vector to the member 2^k before. A reduce-scatter is the
// same backwards, and an all-reduce is both. Where nodes have several members, equally many, the steps
// are those between the nodes, of a member of each, and those inside a node. So a node receives each
// byte that it lacks once. Where they have unequal numbers, a ring takes the tree's place, as NCCL has
// no PAT over several GPUs of a node. It ignores PAT's buffers, which split large vectors.
#pragma once

#include "execution/collective-algorithm.h"

namespace geotrain
{

extern const CollectiveAlgorithm treeCollective;

} // namespace geotrain
