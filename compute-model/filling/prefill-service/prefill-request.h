// SPDX-License-Identifier: GPL-2.0-only
// Defines a request for prefill, where requests come from, and how they end.
#pragma once

#include "units/duration.h"

#include <cstdint>
#include <optional>

namespace geotrain
{

/// A PrefillRequest is one prompt that arrives.
struct PrefillRequest
{
    std::uint64_t number = 0; ///< in the order of arrival, from 1
    Instant arrival;
    std::uint32_t promptTokens = 0; ///< at least 1
    bool isOffline = false;         ///< batch inference, which has no TTFT
};

/// Gives the requests of a run in the order of their arrival.
class RequestSource
{
  public:
    virtual ~RequestSource() = default;

    /// Returns nullopt after the last request.
    virtual std::optional<PrefillRequest> Next() = 0;
};

/// RequestOutcome says how a request ended.
enum class RequestOutcome : std::uint8_t
{
    Served,
    /// Too long for the model's context, or for the memory or (policy STRICT) every bubble; refused
    /// at once.
    TooLong,
    TooLate,   ///< its TTFT objective can't be met
    Unfinished ///< training ended first
};

/// A RequestEnd is what became of a request.
struct RequestEnd
{
    PrefillRequest request;
    RequestOutcome outcome = RequestOutcome::Served;
    Instant decided; ///< time at which it was placed on a chain, or refused
    /// When its first token was to be there, as it was placed; unset: it was not placed.
    std::optional<Instant> promised;
    Instant firstToken;      ///< Served: end of the prefill
    Instant delivered;       ///< Served: time at which the KV cache is whole at the decode node
    std::uint32_t batch = 1; ///< requests that were prefilled together
    bool metObjective = false;
};

/// A ServingObserver is told of every request that ends.
class ServingObserver
{
  public:
    virtual ~ServingObserver() = default;

    virtual void RequestEnded(const RequestEnd& /*end*/)
    {
    }
};

} // namespace geotrain
