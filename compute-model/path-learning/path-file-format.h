// SPDX-License-Identifier: GPL-2.0-only
// What the writer and the reader of model files share: the versions of the format, and how its bytes
// are made and checked.
#pragma once

#include <cstdint>
#include <google/protobuf/message.h>
#include <string>

namespace geotrain
{

constexpr const char* pathFileKind = "geotrain learned path";

/// PathFileVersion holds the version of the format that first had a part of a model.
struct PathFileVersion
{
    static constexpr std::uint32_t plain = 1;
    static constexpr std::uint32_t withNetwork = 2;
    static constexpr std::uint32_t withRecord = 3; ///< recorded shares or slots
    static constexpr std::uint32_t withLoss = 4;
    static constexpr std::uint32_t withYield = 5; ///< cross traffic of connections
    static constexpr std::uint32_t latest = withYield;
};

/// Returns the CRC-32 of RFC 1952, section 8.
std::uint32_t ChecksumOf(const std::string& bytes);

/// Serialises in the order of field numbers.
std::string BytesOf(const google::protobuf::Message& message);

} // namespace geotrain
