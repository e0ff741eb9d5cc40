// SPDX-License-Identifier: GPL-2.0-only
// Generates requests without a trace: arrivals of a Poisson process or burstier ones, and prompts
// of log-normal length. Intervals are exponential or, at a coefficient of variation c > 1,
// hyperexponential with balanced means (two exponential kinds, in each of which as much time
// passes; Morse 1958). BurstGPT (arXiv 2401.17644) fits a Gamma distribution of the same c; its
// correlations are left out. The scenario's defaults are Azure's code trace of 2023 (8,819
// requests): ln(tokens) has mean ln(1,095) and standard deviation 1.36, and the longest prompt has
// 7,437 tokens.
#pragma once

#include "prefill-service/prefill-request.h"
#include "units/random-stream.h"

namespace geotrain
{

/// GeneratorOptions describe a random stream of requests.
struct GeneratorOptions
{
    double requestsPerSecond = 1; ///< positive
    /// Coefficient of variation c of the intervals, at least 1; 1 is Poisson.
    double burstiness = 1;
    double medianTokens = 1095;      ///< positive
    double sigma = 1.36;             ///< standard deviation of ln(tokens), at least 0
    std::uint32_t mostTokens = 7437; ///< longer prompts are cut to it
    std::uint64_t most = 0;          ///< number of requests; 0: no end
};

/// RequestGenerator is an endless or limited source of random requests.
class RequestGenerator : public RequestSource
{
  public:
    /// Draws from two streams of its own.
    RequestGenerator(GeneratorOptions options, std::uint64_t seed);

    std::optional<PrefillRequest> Next() override;

  private:
    double Interval();

    GeneratorOptions m_options;
    RandomStream m_arrivals;
    RandomStream m_lengths;
    double m_seconds = 0;
    std::uint64_t m_given = 0;
};

} // namespace geotrain
