// SPDX-License-Identifier: GPL-2.0-only
// Models what decode nodes do with the requests whose KV caches come to them. A node decodes all that
// it has in one batch: each step gives each a token, and takes the time in which the node's memory
// gives up the weights once and the KV cache of each (decoding is bound by memory bandwidth: Pope et
// al., arXiv 2211.05102). A request goes to the node with the fewest. It ignores launches of kernels,
// arithmetic and the memory's size.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace geotrain
{

/// A DecodeNode says what a step takes on a node, in seconds.
struct DecodeNode
{
    double stepSeconds = 0;  ///< to read the weights
    double tokenSeconds = 0; ///< to read the KV cache of a token
};

/// A DecodedRequest is a request whose KV cache has come.
struct DecodedRequest
{
    double atSeconds = 0;
    std::uint32_t promptTokens = 0;
};

/// A DecodeResult is what became of them.
struct DecodeResult
{
    double utilization = 0;     ///< share of the nodes' time in the span in which they decoded
    double secondsPerToken = 0; ///< mean time of an output token over all requests
};

/// Decodes `outputTokens` tokens of each request, which are in the order of time, on `nodes`, at least
/// one. The cache grows as tokens come; it counts with half of them. The utilisation is that of the
/// span, from its first instant to its second.
DecodeResult DecodeRequests(const std::vector<DecodedRequest>& requests,
                            std::uint32_t outputTokens,
                            const std::vector<DecodeNode>& nodes,
                            std::pair<double, double> spanSeconds);

} // namespace geotrain
