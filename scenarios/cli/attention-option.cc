// SPDX-License-Identifier: GPL-2.0-only
#include "cli/attention-option.h"

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

} // namespace geotrain
