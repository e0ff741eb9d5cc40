// SPDX-License-Identifier: GPL-2.0-only
// Every number and quantity of the schema has a rule, and rules are not contradictory.
#include "loader/field-rules.h"

#include "loader/field-path.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>

namespace geotrain
{

namespace
{

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

void
CollectFields(const Descriptor& descriptor, std::set<const FieldDescriptor*>& fields)
{
    for (int i = 0; i < descriptor.field_count(); ++i)
    {
        fields.insert(descriptor.field(i));
        if (descriptor.field(i)->message_type() != nullptr)
        {
            CollectFields(*descriptor.field(i)->message_type(), fields);
        }
    }
}

std::set<const FieldDescriptor*>
AllFields()
{
    std::set<const FieldDescriptor*> fields;
    CollectFields(*scenario::Scenario::descriptor(), fields);
    return fields;
}

TEST(FieldRules, EveryNumberHasALeastAndAGreatestValue)
{
    for (const auto* field : AllFields())
    {
        const auto& rule = field->options().GetExtension(scenario::rule);
        const bool number = field->cpp_type() == FieldDescriptor::CPPTYPE_INT64 ||
                            field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
        EXPECT_TRUE(!number || (rule.has_min() && rule.has_max() && rule.min() < rule.max()))
            << field->full_name();
    }
}

TEST(FieldRules, EveryQuantityHasALeastAndAGreatestValue)
{
    for (const auto* field : AllFields())
    {
        const auto& rule = field->options().GetExtension(scenario::rule);
        const bool bounded = rule.has_quantity() && rule.quantity() != scenario::QUEUE;
        EXPECT_EQ(bounded, rule.has_at_least() && rule.has_at_most()) << field->full_name();
    }
}

TEST(FieldRules, NumbersAreSignedSoThatASignIsCheckedAndNotMisread)
{
    for (const auto* field : AllFields())
    {
        EXPECT_NE(field->cpp_type(), FieldDescriptor::CPPTYPE_UINT32) << field->full_name();
        EXPECT_NE(field->cpp_type(), FieldDescriptor::CPPTYPE_UINT64) << field->full_name();
        EXPECT_NE(field->cpp_type(), FieldDescriptor::CPPTYPE_INT32) << field->full_name();
    }
}

TEST(FieldRules, DefaultsKeepTheirOwnRules)
{
    scenario::Scenario scenario;
    for (const auto* section :
         {"model", "parallelism", "caps", "transport", "schedule", "temporal_sharing", "run"})
    {
        SetField(scenario, section, "{}", "");
    }
    EXPECT_NO_THROW(ApplyFieldRules(scenario, "defaults"));
    EXPECT_EQ(scenario.transport().congestion_control(), "geotrain::TcpCubic");
    EXPECT_EQ(scenario.mtu(), 1500);
}

TEST(FieldRules, ControlCharactersAndEndlessTextsAreRefused)
{
    for (const auto& text : {std::string("a\nb"), std::string("a\0b", 3), std::string(2000, 'x')})
    {
        scenario::Scenario scenario;
        scenario.mutable_model()->set_catalogue(text);
        EXPECT_THROW(ApplyFieldRules(scenario, "file"), ConfigError);
    }
}

TEST(QueueSize, UnderstandsProductsPacketsAndBytes)
{
    EXPECT_EQ(ParseQueueSize("0.5bdp").value, 0.5);
    EXPECT_EQ(ParseQueueSize("1 bdp").unit, WanQueueSize::Unit::BandwidthDelayProducts);
    EXPECT_EQ(ParseQueueSize("1BDP").unit, WanQueueSize::Unit::BandwidthDelayProducts);
    EXPECT_EQ(ParseQueueSize("2rtt").unit, WanQueueSize::Unit::BandwidthDelayProducts);
    EXPECT_EQ(ParseQueueSize("500packets").unit, WanQueueSize::Unit::Packets);
    EXPECT_EQ(ParseQueueSize("4MB").value, 4e6);
}

TEST(QueueSize, RefusesTheRest)
{
    for (const auto* text : {"",
                             "bdp",
                             "-1bdp",
                             "0packets",
                             "1.5packets",
                             "nanbdp",
                             "1e9bdp",
                             "4",
                             "4Gbps",
                             "infbdp",
                             "-4MB"})
    {
        EXPECT_THROW(ParseQueueSize(text), std::invalid_argument) << text;
    }
}

} // namespace

} // namespace geotrain
