// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/decode-time.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

namespace geotrain
{

namespace
{

/// A Decoder is a node at work. Sequences share it by steps: each ends when it has had its steps.
class Decoder
{
  public:
    Decoder(const DecodeNode& node, std::pair<double, double> span)
        : m_node(node),
          m_span(span)
    {
    }

    std::size_t Sequences() const
    {
        return m_sequences.size();
    }

    double Busy() const
    {
        return m_busy;
    }

    double Finished() const
    {
        return m_finished;
    }

    void Add(double at, double cached, double tokens)
    {
        Advance(at);
        m_sequences.push({m_steps + tokens, cached, at});
        m_cached += cached;
    }

    /// Decodes until `until`.
    void Advance(double until)
    {
        while (!m_sequences.empty() && m_now < until)
        {
            const Sequence next = m_sequences.top();
            const double step = m_node.stepSeconds + m_node.tokenSeconds * m_cached;
            const double end = m_now + (next.lastStep - m_steps) * step;
            const double to = std::min(end, until);
            m_busy += std::max(0.0, std::min(to, m_span.second) - std::max(m_now, m_span.first));
            if (end > until)
            {
                m_steps += (to - m_now) / step;
                m_now = to;
                return;
            }
            m_now = end;
            m_steps = next.lastStep;
            m_finished += end - next.began;
            m_cached -= next.cached;
            m_sequences.pop();
        }
        m_now = std::isinf(until) ? m_now : std::max(m_now, until);
    }

  private:
    struct Sequence
    {
        double lastStep;
        double cached;
        double began;

        bool operator>(const Sequence& other) const
        {
            return lastStep > other.lastStep;
        }
    };

    DecodeNode m_node;
    std::pair<double, double> m_span;
    std::priority_queue<Sequence, std::vector<Sequence>, std::greater<>> m_sequences;
    double m_now = 0;
    double m_steps = 0;    ///< so far
    double m_cached = 0;   ///< tokens in the cache
    double m_busy = 0;     ///< seconds of the span
    double m_finished = 0; ///< sum of the times of the requests that have ended
};

} // namespace

DecodeResult
DecodeRequests(const std::vector<DecodedRequest>& requests,
               std::uint32_t outputTokens,
               const std::vector<DecodeNode>& nodes,
               std::pair<double, double> spanSeconds)
{
    std::vector<Decoder> decoders;
    for (const DecodeNode& node : nodes)
    {
        decoders.emplace_back(node, spanSeconds);
    }
    const double tokens = outputTokens;
    for (const DecodedRequest& request : requests)
    {
        for (Decoder& decoder : decoders)
        {
            decoder.Advance(request.atSeconds);
        }
        const auto least = std::min_element(decoders.begin(),
                                            decoders.end(),
                                            [](const Decoder& a, const Decoder& b)
                                            { return a.Sequences() < b.Sequences(); });
        least->Add(request.atSeconds, request.promptTokens + tokens / 2, tokens);
    }
    DecodeResult result;
    double finished = 0;
    for (Decoder& decoder : decoders)
    {
        decoder.Advance(INFINITY);
        result.utilization += decoder.Busy();
        finished += decoder.Finished();
    }
    const double span = spanSeconds.second - spanSeconds.first;
    result.utilization /= std::max(span, 1e-12) * static_cast<double>(decoders.size());
    const double all = static_cast<double>(requests.size()) * tokens;
    result.secondsPerToken = all > 0 ? finished / all : 0;
    return result;
}

} // namespace geotrain
