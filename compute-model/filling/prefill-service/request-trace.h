// Imports arrivals of inference requests. Known by their columns, case ignored, others ignored:
//   TIMESTAMP (2023-11-16 18:17:03.9799600), ContextTokens      Azure LLM inference traces (Splitwise, ISCA'24)
//   Timestamp (seconds), Request tokens                         BurstGPT (arXiv 2401.17644)
//   timestamp (milliseconds), input_length                      Mooncake (FAST'25), as CSV or JSON lines
// Arrivals count from the first one.
#pragma once

#include "prefill-service/prefill-request.h"

#include <string>
#include <vector>

namespace geotrain
{

struct RequestTraceRow
{
    Duration sinceFirst;
    std::uint32_t promptTokens = 0;
};

/// Throws ConfigError with the line of a row that is broken, has no token, or comes before the one above it; where
/// the columns are none of the above; and where there is no row.
std::vector<RequestTraceRow> ReadRequestTrace(const std::string& path);

/// The same of a file's text; `name` is how errors name it.
std::vector<RequestTraceRow> ParseRequestTrace(const std::string& name, const std::string& text);

/// The rows as a source; with `rateFactor` times as many a second.
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
