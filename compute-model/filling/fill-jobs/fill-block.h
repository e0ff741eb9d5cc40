// What a fill job's model is made of: blocks in a row, each with its cost on one GPU for one batch.
#pragma once

#include "timing/layer-timing.h"

#include <string>
#include <vector>

namespace geotrain
{

struct FillBlock
{
    std::string name;
    double parameters = 0;
    PassSeconds training;        ///< of one batch
    double inferenceSeconds = 0; ///< of one batch
    double forwardFlops = 0;     ///< multiply-adds count as two
    double keptBytes = 0;        ///< that its backward pass needs of its forward pass
    double outputBytes = 0;      ///< its result, and the gradient of it
    bool isConsumedAtOnce =
        false; ///< too large to keep: a training pass can't pause after its forward
    bool isForTrainingOnly = false; ///< a head that inference leaves out
};

using FillBlocks = std::vector<FillBlock>;

} // namespace geotrain
