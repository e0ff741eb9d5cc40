// SPDX-License-Identifier: GPL-2.0-only
// Imports arrivals of inference requests. The format is known by its columns; case and other
// columns are ignored:
// - TIMESTAMP (2023-11-16 18:17:03.9799600), ContextTokens: Azure LLM inference traces (Splitwise,
//   ISCA'24)
// - Timestamp (seconds), Request tokens: BurstGPT (arXiv 2401.17644)
// - timestamp, input_length: Mooncake (FAST'25, milliseconds) or Qwen-Bailian (ATC'25, seconds), as
//   CSV or JSON lines
// Arrivals count from the first one.
#pragma once

#include "prefill-service/prefill-request.h"

#include <string>
#include <vector>

namespace geotrain
{

/// A RequestTraceRow is one request of a trace.
struct RequestTraceRow
{
    Duration sinceFirst;
    std::uint32_t promptTokens = 0;
};

/// TraceTime is the unit of a trace's times.
enum class TraceTime
{
    Auto, ///< as the format has it, or a guess
    Seconds,
    Milliseconds
};

/// A RequestTraceFile is what a trace holds.
struct RequestTraceFile
{
    std::vector<RequestTraceRow> rows;
    std::string guess; ///< unit of the times where the format leaves it open; else empty
};

/// Reads a trace. Where input_length's times may be of either unit, they are seconds if a row has
/// chat_id, parent_chat_id, turn or type, as Bailian's have, or a time has a fraction. Throws
/// ConfigError with the line of a row that is broken, has no token, or comes before the one above
/// it; where the columns are none of the above; for dates with a unit; and where there is no row.
RequestTraceFile ReadRequestTrace(const std::string& path, TraceTime time = TraceTime::Auto);

/// Does the same from a file's text; errors name `name`.
RequestTraceFile ParseRequestTrace(const std::string& name,
                                   const std::string& text,
                                   TraceTime time = TraceTime::Auto);

/// RequestTrace gives the rows as requests, at `rateFactor` times their rate.
class RequestTrace : public RequestSource
{
  public:
    /// `rateFactor` is positive.
    RequestTrace(std::vector<RequestTraceRow> rows, double rateFactor);

    std::optional<PrefillRequest> Next() override;

  private:
    std::vector<RequestTraceRow> m_rows;
    double m_rateFactor;
    std::size_t m_next = 0;
};

} // namespace geotrain
