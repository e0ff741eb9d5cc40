// SPDX-License-Identifier: GPL-2.0-only
#include "cli/attention-option.h"

#include "loader/catalogue-names.h"
#include "workload/hugging-face-config.h"

#include <filesystem>

namespace geotrain
{

void
AddAttentionOption(CLI::App& verb, std::string& name, const std::string& help)
{
    verb.add_option("--attention", name, help)
        ->check(CLI::IsMember({"fused", "unfused", "fused-causal"}));
}

Attention
AttentionNamed(const std::string& name)
{
    return name == "fused"          ? Attention::Fused
           : name == "fused-causal" ? Attention::FusedCausal
                                    : Attention::Unfused;
}

TransformerSpec
ModelOrConfig(const std::string& name, const std::string& field, const ScenarioFile& file)
{
    return std::filesystem::path(name).extension() == ".json" ? ImportHuggingFaceConfig(name)
                                                              : ModelNamed(name, field, file);
}

} // namespace geotrain
