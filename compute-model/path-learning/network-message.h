// SPDX-License-Identifier: GPL-2.0-only
// Writes the network of a learned path into a model file's message, and checks it when it is read.
#pragma once

#include "schema/path.pb.h"
#include "wan/learned-link.h"

#include <memory>
#include <string>

namespace geotrain
{

/// Fills `written`, which is empty.
void WriteNetwork(const WindowNetwork& network, path::WindowNetwork& written);

/// Reads the network of a path with `lanes` buffers. Throws ConfigError, which names `file`, where sizes
/// don't fit each other or numbers are out of their range.
std::shared_ptr<const WindowNetwork> ReadNetwork(const std::string& file,
                                                 const path::WindowNetwork& written,
                                                 WindowNetwork::Output output,
                                                 std::size_t lanes);

} // namespace geotrain
