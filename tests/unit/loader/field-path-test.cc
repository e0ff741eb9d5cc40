// SPDX-License-Identifier: GPL-2.0-only
// --set reaches every field of the schema, and refuses what the schema doesn't have.
#include "loader/field-path.h"

#include "schema/scenario.pb.h"
#include "units/config-error.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

namespace geotrain
{

namespace
{

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// A value that the field's type takes.
std::string
ValueFor(const FieldDescriptor& field)
{
    switch (field.cpp_type())
    {
    case FieldDescriptor::CPPTYPE_BOOL:
        return "true";
    case FieldDescriptor::CPPTYPE_ENUM:
        return field.enum_type()->value(1)->name();
    case FieldDescriptor::CPPTYPE_DOUBLE:
        return "0.5";
    case FieldDescriptor::CPPTYPE_INT64:
        return "7";
    default:
        return "text";
    }
}

// Sets each field below `descriptor` in a scenario of its own; returns how many there are.
int
SetEachField(const Descriptor& descriptor, const std::string& prefix)
{
    int count = 0;
    for (int i = 0; i < descriptor.field_count(); ++i)
    {
        const auto& field = *descriptor.field(i);
        const auto path = prefix + field.name() + (field.is_repeated() ? "[0]" : "");
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
        {
            count += SetEachField(*field.message_type(), path + ".");
            continue;
        }
        scenario::Scenario scenario;
        SetField(scenario, path, ValueFor(field), "--set");
        EXPECT_NE(scenario.ShortDebugString().find(field.name() + ":"), std::string::npos) << path;
        ++count;
    }
    return count;
}

TEST(FieldPath, ReachesEveryField)
{
    EXPECT_GT(SetEachField(*scenario::Scenario::descriptor(), ""), 70);
}

TEST(FieldPath, AStarIsEveryEntryOfAList)
{
    scenario::Scenario scenario;
    scenario.add_wan_link();
    scenario.add_wan_link();
    SetField(scenario, "wan_link[*].delay", "20ms", "");
    EXPECT_EQ(scenario.wan_link_size(), 2);
    EXPECT_EQ(scenario.wan_link(0).delay(), "20ms");
    EXPECT_EQ(scenario.wan_link(1).delay(), "20ms");
}

TEST(FieldPath, AStarNeedsAListWithEntries)
{
    scenario::Scenario scenario;
    EXPECT_THROW(SetField(scenario, "wan_link[*].delay", "20ms", ""), ConfigError);
    EXPECT_THROW(SetField(scenario, "model[*].sequence", "1", ""), ConfigError);
    EXPECT_THROW(SetField(scenario, "[*].delay", "1", ""), ConfigError);
}

TEST(FieldPath, EmptyValueClearsAField)
{
    scenario::Scenario scenario;
    SetField(scenario, "caps.node_pair", "5Gbps", "");
    SetField(scenario, "caps.node_pair", "", "");
    EXPECT_FALSE(scenario.caps().has_node_pair());
}

TEST(FieldPath, AListIsSetAsAWhole)
{
    scenario::Scenario scenario;
    SetField(scenario, "parallelism.layers_per_stage", "[2, 2, 1]", "");
    SetField(scenario, "parallelism.layers_per_stage", "[3, 2]", "");
    ASSERT_EQ(scenario.parallelism().layers_per_stage_size(), 2);
    EXPECT_EQ(scenario.parallelism().layers_per_stage(0), 3);
}

TEST(FieldPath, AnEntryOfAListIsReplacedInItsPlace)
{
    scenario::Scenario scenario;
    SetField(scenario, "parallelism.layers_per_stage", "[2, 3, 4]", "");
    SetField(scenario, "parallelism.layers_per_stage[1]", "9", "");
    EXPECT_EQ(scenario.parallelism().ShortDebugString(),
              "layers_per_stage: 2 layers_per_stage: 9 layers_per_stage: 4");
}

TEST(FieldPath, AMessageCanBeWrittenInPlace)
{
    scenario::Scenario scenario;
    SetField(scenario, "wan_link[0]", "{from: \"a\" to: \"b\"}", "");
    EXPECT_EQ(scenario.wan_link(0).to(), "b");
}

TEST(FieldPath, StringsNeedNoQuotes)
{
    scenario::Scenario scenario;
    SetField(scenario, "model.hugging_face_config", "a \"b\" c.json", "");
    EXPECT_EQ(scenario.model().hugging_face_config(), "a \"b\" c.json");
}

TEST(FieldPath, OneSourceOfTheModelReplacesAnother)
{
    scenario::Scenario scenario;
    SetField(scenario, "model.transformer.layers", "3", "");
    SetField(scenario, "model.catalogue", "gpt-a", "");
    EXPECT_FALSE(scenario.model().has_transformer());
}

TEST(FieldPath, RefusesWhatTheSchemaDoesNotHave)
{
    const std::pair<const char*, const char*> bad[] = {
        {"", "1"},
        {"model", "1"},
        {"model.", "1"},
        {"model..x", "1"},
        {"modle.x", "1"},
        {"mtu.x", "1"},
        {"mtu[0]", "1"},
        {"mtu", "many"},
        {"mtu", "1 name: \"x\""},
        {"wan_link.delay", "1ms"},
        {"wan_link[-1].delay", "1ms"},
        {"wan_link[x].delay", "1ms"},
        {"wan_link[0", "1ms"},
        {"wan_link[1].delay", "1ms"},
        {"wan_link[99999999999].delay", "1ms"},
        {"parallelism.layers_per_stage[0]", "[1, 2]"},
        {"sharing", "SOMETIMES"}};
    for (const auto& [path, value] : bad)
    {
        scenario::Scenario scenario;
        EXPECT_THROW(SetField(scenario, path, value, "--set"), ConfigError) << path << "=" << value;
    }
}

} // namespace

} // namespace geotrain
