// SPDX-License-Identifier: GPL-2.0-only
// One end of the two FIFO streams of an in-network optimizer, whatever carries them: a NIC's engines
// over packets, or pipes without packets.
#pragma once

#include "units/bytes.h"

#include <functional>

namespace geotrain
{

/// A StreamEnd sends what is pushed and receives what is pulled.
class StreamEnd
{
  public:
    virtual ~StreamEnd() = default;

    /// Sends a buffer of `length`. `done` is called when all of it has been acknowledged.
    virtual void Push(Bytes length, std::function<void()> done) = 0;

    /// Receives into a buffer of `length`. `done` is called when it is full.
    virtual void Pull(Bytes length, std::function<void()> done) = 0;
};

} // namespace geotrain
