// SPDX-License-Identifier: GPL-2.0-only
// Imports arrivals of inference requests. The format is known by its columns; case and other
// columns are ignored:
// - TIMESTAMP (2023-11-16 18:17:03.9799600), ContextTokens: Azure LLM inference traces (Splitwise,
//   ISCA'24)
// - Timestamp (seconds), Request tokens: BurstGPT (arXiv 2401.17644)
// - timestamp (milliseconds), input_length: Mooncake (FAST'25), as CSV or JSON lines
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

/// Reads a trace. Throws ConfigError with the line of a row that is broken, has no token, or comes
/// before the one above it; where the columns are none of the above; and where there is no row.
std::vector<RequestTraceRow> ReadRequestTrace(const std::string& path);

/// Does the same from a file's text; errors name `name`.
std::vector<RequestTraceRow> ParseRequestTrace(const std::string& name, const std::string& text);

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
