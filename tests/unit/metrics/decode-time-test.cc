// SPDX-License-Identifier: GPL-2.0-only
// A step of decoding reads the weights once and every sequence's cache.
#include "metrics/decode-time.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

constexpr DecodeNode halfGigabyte{0.01, 1e-6}; // 10 ms for the weights, 1 us per cached token

TEST(DecodeTime, ALoneRequestTakesAStepPerToken)
{
    // 20 steps of 10 ms + (990 + 20 / 2) x 1 us = 11 ms, from 1 s on.
    const auto result = DecodeRequests({{1, 990}}, 20, {halfGigabyte}, {0, 2});
    EXPECT_NEAR(result.secondsPerToken, 0.011, 1e-12);
    EXPECT_NEAR(result.utilization, 0.22 / 2, 1e-12);
    EXPECT_NEAR(DecodeRequests({{1, 990}}, 20, {halfGigabyte}, {0, 1.1}).utilization,
                0.1 / 1.1,
                1e-12); // what lies in the span
}

TEST(DecodeTime, ABatchSharesItsSteps)
{
    // Two at a time: steps of 10 + 2 x 1 ms, 20 of them for both.
    const auto result = DecodeRequests({{0, 990}, {0, 990}}, 20, {halfGigabyte}, {0, 1});
    EXPECT_NEAR(result.utilization, 20 * 0.012, 1e-12);
    EXPECT_NEAR(result.secondsPerToken, 0.012, 1e-12);
}

TEST(DecodeTime, ARequestThatComesLaterSharesTheRest)
{
    // The first is alone for 55 ms, 5 steps of 11 ms, and shares 15 of 12 ms. The second then has 5 of
    // 11 ms alone.
    const auto result = DecodeRequests({{0, 990}, {0.055, 990}}, 20, {halfGigabyte}, {0, 1});
    const double first = 0.055 + 15 * 0.012;
    const double second = 15 * 0.012 + 5 * 0.011;
    EXPECT_NEAR(result.secondsPerToken, (first + second) / 40, 1e-12);
    EXPECT_NEAR(result.utilization, first + 0.055, 1e-12);
}

TEST(DecodeTime, RequestsGoToTheNodeWithTheFewest)
{
    const auto result =
        DecodeRequests({{0, 990}, {0, 990}}, 20, {halfGigabyte, halfGigabyte}, {0, 1});
    EXPECT_NEAR(result.secondsPerToken, 0.011, 1e-12);
    EXPECT_NEAR(result.utilization, 0.22, 1e-12); // of two nodes
}

TEST(DecodeTime, NothingToDecodeTakesNoTime)
{
    EXPECT_EQ(DecodeRequests({}, 20, {halfGigabyte}, {0, 1}).utilization, 0);
    EXPECT_EQ(DecodeRequests({{0, 990}}, 0, {halfGigabyte}, {0, 1}).utilization, 0);
}

} // namespace
} // namespace geotrain
