// A request for prefill, where requests come from, and how they end.
#pragma once

#include "units/duration.h"

#include <cstdint>
#include <optional>

namespace geotrain
{

struct PrefillRequest
{
    std::uint64_t number = 0; ///< in the order of arrival, from 1
    Instant arrival;
    std::uint32_t promptTokens = 0; ///< at least 1
};

/// Gives the requests of a run in the order of their arrival.
class RequestSource
{
  public:
    virtual ~RequestSource() = default;

    /// nullopt after the last one.
    virtual std::optional<PrefillRequest> Next() = 0;
};

enum class RequestOutcome : std::uint8_t
{
    Served,
    TooLong,   ///< for the model's context, or for every bubble: refused at once
    TooLate,   ///< its TTFT objective can't be met
    Unfinished ///< training ended first
};

struct RequestEnd
{
    PrefillRequest request;
    RequestOutcome outcome = RequestOutcome::Served;
    Instant decided;         ///< placed for the first time, or refused
    Instant firstToken;      ///< Served: the prefill's end
    Instant delivered;       ///< Served: the KV cache is whole at the decode node
    std::uint32_t batch = 1; ///< requests that were prefilled together
    bool metObjective = false;
};

class ServingObserver
{
  public:
    virtual ~ServingObserver() = default;

    virtual void RequestEnded(const RequestEnd& /*end*/)
    {
    }
};

} // namespace geotrain
