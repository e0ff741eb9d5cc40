// SPDX-License-Identifier: GPL-2.0-only
#include "error-text.h"
#include "prefill-service/request-generator.h"
#include "prefill-service/request-trace.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace geotrain
{
namespace
{

std::string
TraceError(const std::string& text)
{
    return ErrorText([&] { ParseRequestTrace("t.csv", text); });
}

TEST(RequestTrace, ReadsAzure)
{
    const auto rows = ParseRequestTrace("t.csv",
                                        "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
                                        "2023-12-31 23:59:59.9000000,4808,10\r\n"
                                        "2024-01-01 00:00:00.1000000,3180,8\r\n")
                          .rows;
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].promptTokens, 4808u);
    EXPECT_EQ(rows[0].sinceFirst, Duration());
    EXPECT_EQ(rows[1].sinceFirst, Duration::Milliseconds(200));
}

TEST(RequestTrace, ARequestBeyondAllTimesComesAtTheLatestOne)
{
    // 127 years at a millionth of the rate are more nanoseconds than there are numbers for.
    RequestTrace source(ParseRequestTrace("t.csv",
                                          "timestamp,input_length,output_length\n0,1,1\n"
                                          "4000000000000,1,1\n")
                            .rows,
                        1e-6);
    EXPECT_EQ(source.Next()->arrival, Instant());
    EXPECT_EQ(source.Next()->arrival, Instant::FromNanoseconds(4000000000000000000));
}

TEST(RequestTrace, ReadsBurstGpt)
{
    const auto rows =
        ParseRequestTrace("t.csv",
                          "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                          "5,ChatGPT,472,18,490,Conversation log\n"
                          "45.5,GPT-4,1087,230,1317,API log\n")
            .rows;
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].sinceFirst, Duration::Milliseconds(40500));
    EXPECT_EQ(rows[1].promptTokens, 1087u);
}

TEST(RequestTrace, ReadsMooncakeAsCsvAndAsJsonLines)
{
    const auto csv =
        ParseRequestTrace("t.csv",
                          "timestamp,input_length,output_length\n0,6758,500\n3000,7322,490\n")
            .rows;
    const auto json =
        ParseRequestTrace(
            "t.jsonl",
            "{\"timestamp\": 0, \"input_length\": 6758, \"output_length\": 500, \"hash_ids\": [0, "
            "1]}\n"
            "{\"timestamp\": 3000, \"input_length\": 7322, \"output_length\": 490, \"hash_ids\": "
            "[0]}\n")
            .rows;
    ASSERT_EQ(csv.size(), 2u);
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(csv[1].sinceFirst, Duration::Milliseconds(3000));
    EXPECT_EQ(json[1].sinceFirst, csv[1].sinceFirst);
    EXPECT_EQ(json[1].promptTokens, 7322u);
}

TEST(RequestTrace, ReadsWhatSpreadsheetsWrite)
{
    const auto rows = ParseRequestTrace("t.csv",
                                        "\"timestamp\", Input_Length ,hash_ids\r\n0,6758,\"[0, "
                                        "1]\"\r\n\r\n\"3000\", 7322,[]\r\n")
                          .rows;
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].promptTokens, 6758u);
    EXPECT_EQ(rows[1].promptTokens, 7322u);
    EXPECT_EQ(rows[1].sinceFirst, Duration::Milliseconds(3000));
}

TEST(RequestTrace, LeavesOutAByteOrderMark)
{
    const auto path = std::filesystem::path(testing::TempDir()) / "byte-order-mark.csv";
    std::ofstream(path, std::ios::binary) << "\xEF\xBB\xBFTimestamp,Request tokens\n5,472\n";
    EXPECT_EQ(ReadRequestTrace(path.string()).rows.front().promptTokens, 472u);
    std::filesystem::remove(path);
}

TEST(RequestTrace, NamesTheLineThatIsBroken)
{
    const std::string header = "Timestamp,Request tokens\n";
    EXPECT_EQ(TraceError(header + "1,10\n2,x\n"),
              "t.csv: line 3: tokens: \"x\" must be a whole number from 1 to 10000000");
    EXPECT_EQ(TraceError(header + "1,0\n"),
              "t.csv: line 2: tokens: \"0\" must be a whole number from 1 to 10000000");
    EXPECT_EQ(TraceError(header + "1,10\n\n-1,10\n"),
              "t.csv: line 4: timestamp: \"-1\" must be a number of seconds >= 0");
    EXPECT_EQ(TraceError(header + "1,10,3\n"), "t.csv: line 2: \"1,10,3\" must have 2 cells");
    EXPECT_EQ(TraceError(header + "5,10\n4,10\n"),
              "t.csv: line 3: timestamp: \"4\" must not be before that of the row above: sort the "
              "rows by time");
    EXPECT_EQ(TraceError("TIMESTAMP,ContextTokens\n2023-13-01 00:00:00,5\n"),
              "t.csv: line 2: TIMESTAMP: \"2023-13-01 00:00:00\" must be a time such as 2023-11-16 "
              "18:17:03.9799600");
    EXPECT_EQ(TraceError("{\"timestamp\": 0}\n"),
              "t.csv: line 1: \"{\"timestamp\": 0}\" must be a JSON object with the "
              "numbers timestamp and input_length");
    // A value that is not a number is skipped, however deep it nests.
    const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
    EXPECT_NE(
        TraceError("{\"timestamp\": " + deep + ", \"input_length\": 1}\n").find("the numbers"),
        std::string::npos);
}

TEST(RequestTrace, RefusesDaysThatTheirMonthDoesNotHave)
{
    const std::string rest = " 00:00:00,5\n";
    for (const std::string day : {"2023-02-29", "2023-02-31", "2100-02-29", "2024-04-31"})
    {
        EXPECT_FALSE(TraceError("TIMESTAMP,ContextTokens\n" + day + rest).empty()) << day;
    }
    for (const std::string day : {"2024-02-29", "2023-07-31", "2023-08-31", "2023-12-31"})
    {
        EXPECT_EQ(TraceError("TIMESTAMP,ContextTokens\n" + day + rest), "") << day;
    }
}

TEST(RequestTrace, RefusesOtherColumnsAndNoRows)
{
    EXPECT_NE(TraceError("a,b\n1,2\n").find("line 1"), std::string::npos);
    EXPECT_NE(TraceError("").find("at least one request"), std::string::npos);
    EXPECT_NE(TraceError("Timestamp,Request tokens\n").find("at least one request"),
              std::string::npos);
}

TEST(RequestTrace, RateFactorBringsRequestsCloser)
{
    RequestTrace source({{Duration(), 5}, {Duration::Milliseconds(300), 6}}, 3);
    EXPECT_EQ(source.Next()->arrival, Instant());
    const auto second = source.Next();
    EXPECT_EQ(second->arrival, Instant() + Duration::Milliseconds(100));
    EXPECT_EQ(second->number, 2u);
    EXPECT_FALSE(source.Next());
}

std::string
JsonRow(const std::string& time, const std::string& more = "")
{
    return "{\"timestamp\": " + time + ", \"input_length\": 200" + more + "}\n";
}

// Qwen-Bailian's traces look like Mooncake's and have seconds: 60 requests over 29.5 s, and not over
// 30 ms.
TEST(RequestTrace, TakesBailiansTimesForSeconds)
{
    for (const std::string column : {"chat_id", "parent_chat_id", "turn", "type"})
    {
        const auto file =
            ParseRequestTrace("t.jsonl", JsonRow("0") + JsonRow("30", ", \"" + column + "\": 1"));
        EXPECT_EQ(file.rows[1].sinceFirst, Duration::Seconds(30)) << column;
        EXPECT_EQ(file.guess, "seconds");
        const auto csv =
            ParseRequestTrace("t.csv", column + ",timestamp,input_length\nx,0,200\nx,30,200\n");
        EXPECT_EQ(csv.rows[1].sinceFirst, Duration::Seconds(30)) << column;
    }
}

TEST(RequestTrace, TakesTimesWithFractionsForSeconds)
{
    const auto file =
        ParseRequestTrace("t.jsonl", JsonRow("0.0") + JsonRow("29.0") + JsonRow("29.5"));
    EXPECT_EQ(file.rows[1].sinceFirst, Duration::Seconds(29)); // of the rows before, too
    EXPECT_EQ(file.rows[2].sinceFirst, Duration::Milliseconds(29500));
    // ".0" is how pandas writes whole numbers.
    const auto whole = ParseRequestTrace("t.jsonl", JsonRow("0.0") + JsonRow("3000.0"));
    EXPECT_EQ(whole.rows[1].sinceFirst, Duration::Milliseconds(3000));
    EXPECT_EQ(whole.guess, "milliseconds");
}

TEST(RequestTrace, TakesTheUnitThatItIsTold)
{
    const std::string mooncake = JsonRow("0") + JsonRow("3000");
    const auto seconds = ParseRequestTrace("t.jsonl", mooncake, TraceTime::Seconds);
    EXPECT_EQ(seconds.rows[1].sinceFirst, Duration::Seconds(3000));
    EXPECT_EQ(seconds.guess, "");
    const auto milliseconds = ParseRequestTrace(
        "t.csv", "Timestamp,Request tokens\n0,472\n1500.5,7\n", TraceTime::Milliseconds);
    EXPECT_EQ(milliseconds.rows[1].sinceFirst, Duration::Microseconds(1500500));
    EXPECT_EQ(ParseRequestTrace("t.csv", "Timestamp,Request tokens\n0,472\n").guess, "");
    EXPECT_EQ(ErrorText(
                  []
                  {
                      ParseRequestTrace("t.csv",
                                        "TIMESTAMP,ContextTokens\n2023-01-01 00:00:00,5\n",
                                        TraceTime::Seconds);
                  }),
              "t.csv: TIMESTAMP: is a date: trace_time must be AUTO");
}

TEST(RequestTrace, ReadsAzuresCodeTrace)
{
    const std::string path =
        std::string(GEOTRAIN_SHARED_DATA) + "/inference/AzureLLMInferenceTrace_code.csv";
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "no " << path;
    }
    const auto rows = ReadRequestTrace(path).rows;
    // These were counted by another program: 8,819 rows, mean 2,047.8 tokens, 3,436 s from the
    // first to the last.
    EXPECT_EQ(rows.size(), 8819u);
    double tokens = 0;
    for (const auto& row : rows)
    {
        tokens += row.promptTokens;
    }
    EXPECT_NEAR(tokens / static_cast<double>(rows.size()), 2047.848, 1e-3);
    EXPECT_NEAR(rows.back().sinceFirst.ToSeconds(), 3435.948, 1e-3);
}

struct Drawn
{
    std::vector<double> intervals;
    std::vector<double> logTokens;
};

Drawn
Draw(GeneratorOptions options)
{
    options.most = 40000;
    RequestGenerator generator(options, 7);
    Drawn drawn;
    Instant last;
    while (const auto request = generator.Next())
    {
        drawn.intervals.push_back((request->arrival - last).ToSeconds());
        drawn.logTokens.push_back(std::log(request->promptTokens));
        last = request->arrival;
    }
    return drawn;
}

std::pair<double, double>
MeanAndDeviation(const std::vector<double>& values)
{
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values)
    {
        squares += (value - mean) * (value - mean);
    }
    return {mean, std::sqrt(squares / n)};
}

TEST(RequestGenerator, PoissonIntervalsHaveTheirRateAndVariationOne)
{
    GeneratorOptions options;
    options.requestsPerSecond = 50;
    const auto [mean, deviation] = MeanAndDeviation(Draw(options).intervals);
    // Four standard errors of the mean of 40,000: 4 / sqrt(40000) = 2 %.
    EXPECT_NEAR(mean, 1.0 / 50, 0.02 / 50);
    EXPECT_NEAR(deviation / mean, 1, 0.03);
}

TEST(RequestGenerator, BurstyIntervalsHaveTheSameRateAndTheirVariation)
{
    GeneratorOptions options;
    options.requestsPerSecond = 50;
    options.burstiness = 3;
    const auto [mean, deviation] = MeanAndDeviation(Draw(options).intervals);
    EXPECT_NEAR(mean, 1.0 / 50, 0.06 / 50); // four standard errors, three times as wide
    EXPECT_NEAR(deviation / mean, 3, 0.2);
}

TEST(RequestGenerator, PromptsAreLogNormal)
{
    GeneratorOptions options;
    options.mostTokens = 1000000;
    const auto [mean, deviation] = MeanAndDeviation(Draw(options).logTokens);
    EXPECT_NEAR(mean, std::log(1095), 4 * 1.36 / 200); // four standard errors
    EXPECT_NEAR(deviation, 1.36, 0.03);
}

} // namespace
} // namespace geotrain
