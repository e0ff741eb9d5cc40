// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/serving-chain.h"

#include "error-text.h"
#include "hardware/gpu-catalogue.h"
#include "workload/model-catalogue.h"
#include "workload/parameter-count.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace geotrain
{
namespace
{

ServingRequest
ClusterServing(const char* model, std::uint32_t workers, double freeGigabytes)
{
    ServingRequest request;
    request.model = *FindModel(model);
    request.mostTokens = 2000;
    request.gpus = {*FindGpu("A100-80")};
    request.dataCenters = {{"a", BitRate::GigabitsPerSecond(100), Duration::Microseconds(10)}};
    request.nodeLocalRate = BitRate::GigabitsPerSecond(2400);
    for (WorkerIndex worker = 0; worker < workers; ++worker)
    {
        request.workers.push_back({worker, 0, 0, Bytes::Of(std::int64_t(freeGigabytes * 1e9))});
        request.order.push_back(worker);
    }
    return request;
}

std::string
ChainError(const ServingRequest& request)
{
    return ErrorText<std::invalid_argument>([&] { MakeServingChains(request); });
}

TEST(ServingChains, WeightsOfAnEightBillionModelAreSixteenGigabytesOverTheDegree)
{
    // 8.03 billion parameters of 2 bytes; the stages with embedding and head hold 0.5 billion more.
    const auto model = *FindModel("llama3-8b");
    for (const std::uint32_t degree : {1, 2, 4})
    {
        Bytes sum;
        for (const StageShare& share : SplitEvenly(model, degree))
        {
            sum += ServingWeights(model, share, 1);
        }
        EXPECT_EQ(sum.Count(), 2 * ParameterCount(model));
        EXPECT_NEAR(static_cast<double>(sum.Count()), 16.06e9, 0.01e9);
    }
}

TEST(ServingChains, SeventyBillionNeedFourStagesBesideTrainingOnA100)
{
    // 141 GB of weights: 70.6 GB a GPU at two stages, 35.3 at four; training leaves 40.
    EXPECT_EQ(MakeServingChains(ClusterServing("llama3-70b", 8, 40)).ppDegree, 4u);
}

TEST(ServingChains, KvCacheIsWhatLlamaKeepsOfAToken)
{
    // 2 (key, value) x 8 heads x 128 x 32 layers x 2 bytes = 131,072 bytes per token.
    const auto model = *FindModel("llama3-8b");
    EXPECT_EQ(KvCacheBytes(model, SplitEvenly(model, 1)[0], 1, 1), Bytes::Of(131072));
    EXPECT_EQ(KvCacheBytes(model, SplitEvenly(model, 4)[0], 1, 10), Bytes::Of(327680));
}

TEST(ServingChains, ShareNoWorkerAndStayInADataCentre)
{
    auto request = ClusterServing("llama3-8b", 10, 20);
    request.ppDegree = 3;
    request.dataCenters.push_back(request.dataCenters[0]);
    for (WorkerIndex worker = 5; worker < 10; ++worker)
    {
        request.workers[worker].dataCenter = 1;
    }
    const auto made = MakeServingChains(request);
    EXPECT_EQ(made.chains.size(), 2u); // 5 workers each: one chain of 3
    std::set<WorkerIndex> used;
    for (const auto& chain : made.chains)
    {
        for (const WorkerIndex worker : chain.workers)
        {
            EXPECT_TRUE(used.insert(worker).second);
            EXPECT_EQ(request.workers[worker].dataCenter, chain.dataCenter);
        }
    }
}

TEST(ServingChains, SayFromWhichDegreeAModelFits)
{
    auto request = ClusterServing("llama3-70b", 8, 40);
    request.ppDegree = 2;
    const auto error = ChainError(request);
    EXPECT_NE(error.find("training leaves 40.0 GB"), std::string::npos) << error;
    EXPECT_NE(error.find("fits from a pp_degree of 4"), std::string::npos) << error;
}

TEST(ServingChains, SayThatADegreeExceedsWorkersOrLayers)
{
    auto request = ClusterServing("llama3-8b", 6, 70);
    request.ppDegree = 7;
    EXPECT_EQ(ChainError(request),
              "can't have a pp_degree of 7: a stage needs a worker and a layer of its own, a data "
              "centre has 6 workers at most, the model 32 layers; it fits from a pp_degree of 1");
    request = ClusterServing("llama3-8b", 40, 70);
    request.ppDegree = 33;
    EXPECT_NE(ChainError(request).find("the model 32 layers"), std::string::npos);
}

// Two workers, one of which has room: no chain of two.
TEST(ServingChains, SayHowManyWorkersHaveRoom)
{
    auto request = ClusterServing("llama3-8b", 2, 12);
    request.workers[1].free = Bytes::Of(1000000000);
    const auto error = ChainError(request);
    EXPECT_NE(error.find("training leaves 12.0 GB at most, and as much as needed to 1 of"),
              std::string::npos)
        << error;
}

TEST(ServingChains, SayWhichModelsFitWhereThisOneDoesNot)
{
    const auto error = ChainError(ClusterServing("llama3-70b", 2, 20));
    EXPECT_NE(error.find("at no pp_degree"), std::string::npos) << error;
    EXPECT_NE(error.find("llama3-8b"), std::string::npos) << error;
}

TEST(ServingChains, SayThatNothingFits)
{
    const auto error = ChainError(ClusterServing("llama3-8b", 2, 0.1));
    EXPECT_NE(error.find("no model of the catalogue fits"), std::string::npos) << error;
}

} // namespace
} // namespace geotrain
