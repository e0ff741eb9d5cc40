// SPDX-License-Identifier: GPL-2.0-only
// Feeds bytes to the reader of fill traces. The jobs of an accepted trace come in the order of
// their arrival, each with something to run.
#include "fill-jobs/fill-arrivals.h"
#include "units/config-error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

geotrain::FillModels
ModelsOfTraces()
{
    using namespace geotrain;
    const auto program = std::make_shared<const FillProgram>(
        "toy",
        4,
        std::vector<FillOperator>{
            {"step", Duration::Milliseconds(1), Bytes::Of(1000), Flops::Of(1e9), true}});
    FillModels models;
    models.Add("toy", FillTask::Training, program);
    models.Add("toy", FillTask::Inference, program);
    return models;
}

} // namespace

int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const geotrain::FillModels models = ModelsOfTraces();
    try
    {
        const auto jobs = geotrain::ParseFillTrace(
            "fuzz", std::string(reinterpret_cast<const char*>(data), size), models);
        geotrain::Instant last;
        for (const auto& job : jobs)
        {
            if (job.arrival < last || job.samples == 0 || job.programs.empty())
            {
                std::abort();
            }
            last = job.arrival;
        }
    }
    catch (const geotrain::ConfigError&)
    {
    }
    return 0;
}
