// SPDX-License-Identifier: GPL-2.0-only
// Requests arrive at their times, and short prompts leave together.
#include "analytic/event-loop.h"
#include "prefill-service/request-intake.h"

#include <gtest/gtest.h>

#include <deque>
#include <utility>

namespace geotrain
{
namespace
{

class ListedRequests : public RequestSource
{
  public:
    explicit ListedRequests(std::deque<PrefillRequest> requests)
        : m_requests(std::move(requests))
    {
    }

    std::optional<PrefillRequest> Next() override
    {
        if (m_requests.empty())
        {
            return std::nullopt;
        }
        const PrefillRequest next = m_requests.front();
        m_requests.pop_front();
        return next;
    }

  private:
    std::deque<PrefillRequest> m_requests;
};

PrefillRequest
Prompt(std::uint64_t number, std::int64_t arrivalMs, std::uint32_t tokens)
{
    PrefillRequest request;
    request.number = number;
    request.arrival = Instant::FromNanoseconds(arrivalMs * 1000000);
    request.promptTokens = tokens;
    return request;
}

struct Batch
{
    double atMs = 0;
    std::vector<std::uint64_t> numbers;

    bool operator==(const Batch& other) const
    {
        return atMs == other.atMs && numbers == other.numbers;
    }
};

// The limits are a context of 4,096, batches of 1,000 tokens and waits of 50 ms.
std::vector<Batch>
BatchesOf(std::deque<PrefillRequest> requests)
{
    EventLoop loop;
    ListedRequests source(std::move(requests));
    std::vector<Batch> batches;
    RequestIntake intake(
        loop,
        source,
        {4096, 1000, Duration::Milliseconds(50)},
        [&](const std::vector<PrefillRequest>& batch)
        {
            batches.push_back({static_cast<double>(loop.Now().ToNanoseconds()) / 1e6, {}});
            for (const auto& request : batch)
            {
                batches.back().numbers.push_back(request.number);
            }
        });
    intake.Begin();
    loop.Run(Instant::Never());
    EXPECT_TRUE(intake.TakeWaiting().empty());
    return batches;
}

TEST(RequestIntake, LongPromptGoesAloneAtItsArrival)
{
    EXPECT_EQ(BatchesOf({Prompt(1, 7, 1000)}), (std::vector<Batch>{{7, {1}}}));
}

TEST(RequestIntake, ShortPromptWaitsNoLongerThanTheLimit)
{
    EXPECT_EQ(BatchesOf({Prompt(1, 10, 300), Prompt(2, 30, 300)}),
              (std::vector<Batch>{{10 + 50, {1, 2}}}));
}

TEST(RequestIntake, BatchLeavesWhenTheNextPromptWouldOverfillIt)
{
    // 600 + 300 <= 1,000, and 500 more are not; the rest waits from 3 ms on.
    EXPECT_EQ(BatchesOf({Prompt(1, 1, 600), Prompt(2, 2, 300), Prompt(3, 3, 500)}),
              (std::vector<Batch>{{3, {1, 2}}, {3 + 50, {3}}}));
}

TEST(RequestIntake, FullBatchForgetsItsWait)
{
    // The first batch left at 3 ms; its wait, to 51 ms, must not end the second one's, to 53 ms.
    const auto batches = BatchesOf({Prompt(1, 1, 900), Prompt(2, 3, 900)});
    EXPECT_EQ(batches, (std::vector<Batch>{{3, {1}}, {53, {2}}}));
}

TEST(RequestIntake, PromptBeyondTheContextGoesAlone)
{
    EXPECT_EQ(BatchesOf({Prompt(1, 0, 100), Prompt(2, 5, 5000)}),
              (std::vector<Batch>{{5, {2}}, {50, {1}}}));
}

TEST(RequestIntake, RequestsThatWaitCanBeTaken)
{
    EventLoop loop;
    ListedRequests source({Prompt(1, 0, 100)});
    int batches = 0;
    RequestIntake intake(loop,
                         source,
                         {4096, 1000, Duration::Milliseconds(50)},
                         [&](const std::vector<PrefillRequest>&) { ++batches; });
    intake.Begin();
    loop.Run(Instant::FromNanoseconds(20000000));
    EXPECT_EQ(intake.TakeWaiting().size(), 1u);
    EXPECT_EQ(batches, 0);
}

} // namespace
} // namespace geotrain
