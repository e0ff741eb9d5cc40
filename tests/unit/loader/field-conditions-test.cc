// SPDX-License-Identifier: GPL-2.0-only
// The conditions of the schema name fields and values that there are, and are asked in jobs, too.
#include "loader/field-conditions.h"

#include "schedule/schedule-catalogue.h"
#include "schema/scenario.pb.h"

#include "small-scenario.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

namespace geotrain
{
namespace
{

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using Descriptors = std::vector<const Descriptor*>;

/// Returns the field that a path of a condition finds; nullptr where there is none. The innermost
/// message is the last.
const FieldDescriptor*
FieldAt(const Descriptors& messages, const std::string& path)
{
    std::stringstream steps(path);
    std::string step;
    std::getline(steps, step, '.');
    const FieldDescriptor* field = nullptr;
    for (auto message = messages.rbegin(); message != messages.rend() && !field; ++message)
    {
        field = (*message)->FindFieldByName(step);
    }
    while (field != nullptr && std::getline(steps, step, '.'))
    {
        field = field->message_type()->FindFieldByName(step);
    }
    return field;
}

void
ExpectTermsOfSchema(const std::string& condition, const Descriptors& messages)
{
    static const std::regex shape(R"(!?([a-z0-9_.]+)(?:!?=([^ ]+))?( & |$))");
    std::string all;
    for (std::sregex_iterator at(condition.begin(), condition.end(), shape), end; at != end; ++at)
    {
        all += (*at)[0];
        const FieldDescriptor* field = FieldAt(messages, (*at)[1]);
        ASSERT_NE(field, nullptr) << condition;
        std::stringstream values((*at)[2]);
        for (std::string value; std::getline(values, value, '|') && field->enum_type();)
        {
            EXPECT_NE(field->enum_type()->FindValueByName(value), nullptr) << condition;
        }
    }
    EXPECT_EQ(all, condition);
}

void
ExpectConditionsOfSchema(const Descriptors& messages)
{
    for (int i = 0; i < messages.back()->field_count(); ++i)
    {
        const FieldDescriptor* field = messages.back()->field(i);
        const auto& rule = field->options().GetExtension(scenario::rule);
        for (const auto& condition : rule.needs())
        {
            ExpectTermsOfSchema(condition, messages);
            EXPECT_EQ(condition.find(" & "), std::string::npos) << condition;
        }
        for (const auto& condition : rule.not_with())
        {
            ExpectTermsOfSchema(condition, messages);
        }
        for (const auto& unused : rule.unused())
        {
            ASSERT_NE(unused.find(": "), std::string::npos) << unused;
            ExpectTermsOfSchema(unused.substr(0, unused.find(':')), messages);
        }
        if (field->message_type() != nullptr)
        {
            auto inner = messages;
            inner.push_back(field->message_type());
            ExpectConditionsOfSchema(inner);
        }
    }
}

TEST(FieldConditions, NameFieldsAndValuesOfTheSchema)
{
    ExpectConditionsOfSchema({scenario::Scenario::descriptor()});
}

// scenario.proto has the names where schedule.warmup_factor and overlapped_block change nothing.
TEST(FieldConditions, NameTheSchedulesThatHaveTheTrait)
{
    EXPECT_EQ(NamesOfSchedules(&ScheduleEntry::deepensWarmUp), "1f1b");
    EXPECT_EQ(NamesOfSchedules(&ScheduleEntry::overlapsBlocks), "dualpipe-v");
}

TEST(FieldConditions, AreAskedOfTheSectionsOfJobs)
{
    std::string job = SmallScenarioText();
    job.replace(job.find("model"), 0, "job { name: \"one\" ");
    job.replace(job.find("data_center"), 0, "}\n");
    for (auto at = job.find("stages: 1"); at != std::string::npos; at = job.find("stages: 1"))
    {
        job.erase(at, 9);
    }
    EXPECT_EQ(
        LoadText(job, {"job[0].schedule.name=gpipe", "job[0].schedule.warmup_factor=2"}).warnings,
        (std::vector<std::string>{"job[0].schedule.warmup_factor changes nothing: only 1f1b "
                                  "deepens its warm-up by it"}));
    EXPECT_EQ(ErrorOfText(job, {"job[0].parallelism.prefetch=1"}),
              "small.textproto: job[0].parallelism.prefetch: \"1\" needs "
              "job[0].parallelism.data_parallelism ZERO3 or IN_NETWORK");
    EXPECT_EQ(ErrorOfText(job,
                          {"job[0].model.microbatches=1",
                           "job[0].parallelism.pipeline_stages=1",
                           "job[0].parallelism.data_parallelism=IN_NETWORK"}),
              "small.textproto: job[0].parallelism.data_parallelism: \"IN_NETWORK\" must not be "
              "set with job");
}

// What is forbidden depends on a value, also where that is the default.
TEST(FieldConditions, ThatBeginWithTheFieldAreAskedOfItsDefault)
{
    EXPECT_EQ(ErrorOfText(R"(
model { transformer { layers: 6 hidden: 1024 heads: 8 vocabulary: 1000 } sequence: 512 }
parallelism { data_parallel: 4 data_parallelism: IN_NETWORK }
data_center { name: "a" nodes: 4 gpus_per_node: 1 gpu: "A100-40" })"),
              "small.textproto: model.microbatches: \"16\" must not be so with "
              "parallelism.data_parallelism IN_NETWORK");
}

} // namespace
} // namespace geotrain
