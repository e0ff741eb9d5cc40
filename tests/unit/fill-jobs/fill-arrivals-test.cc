// SPDX-License-Identifier: GPL-2.0-only
#include "fill-jobs/fill-arrivals.h"

#include "error-text.h"
#include "hardware/gpu-catalogue.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace geotrain
{

namespace
{

FillModels
TwoModels()
{
    FillModels models;
    models.AddFromCatalogue(*FindFillModel("bert-base"), FillTask::Training, *FindGpu("V100-16"));
    models.AddFromCatalogue(*FindFillModel("swin-large"), FillTask::Inference, *FindGpu("V100-16"));
    return models;
}

std::string
ErrorOf(const std::string& rows)
{
    return ErrorText(
        [&] {
            ParseFillTrace(
                "jobs.csv", "arrival_s,model,task,samples,deadline_s\n" + rows, TwoModels());
        });
}

TEST(FillTrace, ReadsJobsInTheirOrder)
{
    const auto jobs = ParseFillTrace("jobs.csv",
                                     "arrival_s,model,task,samples,deadline_s\n"
                                     "0,bert-base,training,1000,\n"
                                     "1.5,swin-large,inference,20,60\r\n",
                                     TwoModels());
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_EQ(jobs[0].number, 1U);
    EXPECT_EQ(jobs[0].samples, 1000U);
    EXPECT_FALSE(jobs[0].deadline);
    EXPECT_EQ(jobs[1].arrival, Instant::FromNanoseconds(1500000000));
    EXPECT_EQ(jobs[1].model, "swin-large");
    EXPECT_EQ(jobs[1].deadline, Instant::FromNanoseconds(60000000000));
    EXPECT_FALSE(jobs[1].programs.empty());
}

TEST(FillTrace, DeadlinesMayBeLeftOut)
{
    EXPECT_EQ(ParseFillTrace(
                  "jobs.csv", "arrival_s,model,task,samples\n0,bert-base,training,1\n", TwoModels())
                  .size(),
              1U);
}

TEST(FillTrace, ErrorsNameTheLine)
{
    EXPECT_EQ(ErrorOf("1,bert-base,training,5,\n0.5,bert-base,training,5,\n"),
              "jobs.csv: line 3: arrival_s: \"0.5\" must not be before the row above: rows go by "
              "arrival");
    EXPECT_EQ(ErrorOf("x,bert-base,training,5,\n"),
              "jobs.csv: line 2: arrival_s: \"x\" must be a number of seconds from 0 to 4e9");
    EXPECT_EQ(ErrorOf("-1,bert-base,training,5,\n"),
              "jobs.csv: line 2: arrival_s: \"-1\" must be a number of seconds from 0 to 4e9");
    EXPECT_EQ(ErrorOf("0,bert-base,training,0,\n"),
              "jobs.csv: line 2: samples: \"0\" must be a whole number from 1 to 1e12");
    EXPECT_EQ(ErrorOf("0,bert-base,running,1,\n"),
              "jobs.csv: line 2: task: \"running\" must be training or inference");
    EXPECT_EQ(
        ErrorOf("0,gpt,training,1,\n"),
        "jobs.csv: line 2: model: \"gpt\" must be one of bert-base training, swin-large inference");
    EXPECT_EQ(ErrorOf("0,bert-base,training,1\n"),
              "jobs.csv: line 2: must have as many cells as the header");
    EXPECT_EQ(ErrorOf("5,bert-base,training,1,4\n"),
              "jobs.csv: line 2: deadline_s: \"4\" must not be before the job's arrival");
    EXPECT_EQ(ErrorOf(""), "jobs.csv: must have a header and at least one job");
    EXPECT_THROW(ParseFillTrace("jobs.csv", "when,what\n", TwoModels()), ConfigError);
}

FillGeneratorInputs
Inputs(std::uint32_t jobs)
{
    FillGeneratorInputs inputs;
    inputs.jobs = jobs;
    inputs.medianTime = Duration::Seconds(100);
    inputs.gpuMemory = FindGpu("V100-16")->memory;
    inputs.mix = {{"bert-base", FillTask::Training, 3}, {"swin-large", FillTask::Inference, 1}};
    return inputs;
}

// Mean of n exponential gaps: 1/rate (1 +- 1/sqrt(n)); 5 deviations.
TEST(FillGenerator, ArrivalsHaveTheirRate)
{
    FillGeneratorInputs inputs = Inputs(4000);
    inputs.jobsPerHour = 360;
    const auto jobs = GenerateFillJobs(inputs, TwoModels());
    EXPECT_NEAR(jobs.back().arrival.ToSeconds() / 4000, 10, 10 * 5 / 63.2);
    for (std::size_t i = 1; i < jobs.size(); ++i)
    {
        EXPECT_LE(jobs[i - 1].arrival, jobs[i].arrival);
    }
}

// 3 of 4 jobs: sqrt(n p (1-p)) = 27 of 4,000; 5 deviations.
TEST(FillGenerator, ModelsHaveTheirWeights)
{
    const auto jobs = GenerateFillJobs(Inputs(4000), TwoModels());
    const auto berts = std::count_if(
        jobs.begin(), jobs.end(), [](const FillJob& job) { return job.model == "bert-base"; });
    EXPECT_NEAR(static_cast<double>(berts), 3000, 137);
}

/// Returns the time of the job on a GPU of its own, in the program that is the fastest there.
Duration
DedicatedTime(const FillJob& job)
{
    Duration best = Duration::Nanoseconds(INT64_MAX);
    for (const auto& program : job.programs)
    {
        const auto passes = static_cast<std::int64_t>(PassesOf(*program, job.samples));
        best = std::min(best, program->PassDuration() * passes);
    }
    return best;
}

// Sizes are log-normal: half of them are above the median. Sizes are whole samples, here thousands.
TEST(FillGenerator, SizesHaveTheirMedian)
{
    FillGeneratorInputs inputs = Inputs(4000);
    inputs.sigma = 1;
    const auto jobs = GenerateFillJobs(inputs, TwoModels());
    const auto longer =
        std::count_if(jobs.begin(),
                      jobs.end(),
                      [&](const FillJob& job) { return DedicatedTime(job) > inputs.medianTime; });
    EXPECT_NEAR(static_cast<double>(longer), 2000, 5 * 32 + 40);
}

TEST(FillGenerator, WithoutRateAllAreThereAtOnceAndDeadlinesFollowSizes)
{
    FillGeneratorInputs inputs = Inputs(10);
    inputs.deadlineFactor = 5;
    for (const FillJob& job : GenerateFillJobs(inputs, TwoModels()))
    {
        EXPECT_EQ(job.arrival, Instant());
        EXPECT_EQ(*job.deadline, Instant() + Duration::Seconds(500));
    }
}

TEST(FillGenerator, TheSameSeedGivesTheSameJobs)
{
    FillGeneratorInputs inputs = Inputs(50);
    inputs.sigma = 1;
    const auto first = GenerateFillJobs(inputs, TwoModels());
    const auto second = GenerateFillJobs(inputs, TwoModels());
    inputs.seed = 2;
    const auto other = GenerateFillJobs(inputs, TwoModels());
    bool differs = false;
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        EXPECT_EQ(first[i].samples, second[i].samples);
        differs = differs || first[i].samples != other[i].samples;
    }
    EXPECT_TRUE(differs);
}

TEST(FillModels, AModelThatFitsNoGpuSaysWhatItNeeds)
{
    FillModels models;
    try
    {
        models.AddFromCatalogue(
            *FindFillModel("xlm-roberta-xl"), FillTask::Training, *FindGpu("V100-16"));
        FAIL();
    }
    catch (const std::invalid_argument& refused)
    {
        EXPECT_NE(std::string(refused.what()).find("V100-16 has 16 GB"), std::string::npos)
            << refused.what();
    }
}

} // namespace

} // namespace geotrain
