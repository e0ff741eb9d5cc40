// SPDX-License-Identifier: GPL-2.0-only
// A row of a table of attributes: values, what is measured under each of them, and the formula that predicts it.
#pragma once

#include <gtest/gtest.h>

#include <ns3/config.h>
#include <ns3/string.h>

#include <string>
#include <utility>
#include <vector>

struct AttributePrediction
{
    const char* attribute;                              ///< its name in the TypeId
    std::vector<std::pair<const char*, double>> values; ///< as text, and as the formula takes them
    double (*measure)();
    double (*formula)(double value);
    double error; ///< that is allowed
};

/// Sets the attribute of `typeId` to each value and compares what is measured with the formula.
inline void
ExpectPredictedEffects(const std::string& typeId, const AttributePrediction& row)
{
    for (const auto& [text, value] : row.values)
    {
        ns3::Config::Reset();
        ns3::Config::SetDefault(typeId + "::" + row.attribute, ns3::StringValue(text));
        EXPECT_NEAR(row.measure(), row.formula(value), row.error) << row.attribute << "=" << text;
    }
    ns3::Config::Reset();
}

inline std::string
NameOfRow(const testing::TestParamInfo<AttributePrediction>& row)
{
    return row.param.attribute;
}
