// SPDX-License-Identifier: GPL-2.0-only
// Resolves what is served in training's bubbles: the model and the workers that hold it, the
// options of the controller, and the requests.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "prefill-service/prefill-controller.h"
#include "prefill-service/request-generator.h"
#include "prefill-service/request-trace.h"
#include "prefill-service/serving-chain.h"
#include "training-plan/prepare-plan.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// An InferenceSection is the resolved inference of a scenario.
struct InferenceSection
{
    ServingRequest request;
    ServingChains chains;
    ControllerOptions options;
    std::vector<RequestTraceRow> rows;      ///< rows of a trace; empty with a generator
    double rateFactor = 1;                  ///< factor on the rate of a trace
    GeneratorOptions generator;             ///< used where there is no trace
    std::vector<std::uint32_t> decodeNodes; ///< number of decode nodes by data centre
    std::uint32_t outputTokens = 0;         ///< number of tokens that a request decodes
    bool sharesNic = false;                 ///< KV caches go over training's NICs
    bool sharesActivationNic = false;       ///< activations between stages go over training's NICs

    /// Makes the source of requests: the trace, or a generator with `seed`.
    std::unique_ptr<RequestSource> MakeSource(std::uint64_t seed) const;

    /// Returns the mean rate of requests per second.
    double OfferedRate() const;
};

/// Resolves inference and sets pp_degree, chunk_tokens and batch_tokens in `scenario`. A guess at a trace's unit of time is added
/// to `warnings`. Throws ConfigError for a broken rule, where the model fits nowhere, and where no
/// prompt of a trace fits the model's context.
InferenceSection ResolveInference(scenario::Scenario& scenario,
                                  const Cluster& cluster,
                                  const PreparedPlan& training,
                                  std::vector<std::string>& warnings,
                                  const ScenarioFile& file);

} // namespace geotrain
