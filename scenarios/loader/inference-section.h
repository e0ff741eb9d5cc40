// SPDX-License-Identifier: GPL-2.0-only
// Resolves what is served in training's bubbles: the model and where it fits, the controller's
// options, the requests.
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

struct InferenceSection
{
    ServingRequest request;
    ServingChains chains;
    ControllerOptions options;
    std::vector<RequestTraceRow> rows;      ///< of a trace
    double rateFactor = 1;                  ///< of a trace
    GeneratorOptions generator;             ///< where there is no trace
    std::vector<std::uint32_t> decodeNodes; ///< by data centre
    bool sharesNic = false;

    std::unique_ptr<RequestSource> MakeSource(std::uint64_t seed) const;

    /// Requests a second that arrive on average.
    double OfferedRate() const;
};

/// Fills in pp_degree and decode_nodes. Throws ConfigError, also where the model fits nowhere and
/// where no prompt of a trace fits the model's context.
InferenceSection ResolveInference(scenario::Scenario& scenario,
                                  const Cluster& cluster,
                                  const PreparedPlan& training,
                                  const ScenarioFile& file);

} // namespace geotrain
