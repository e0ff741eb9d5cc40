// SPDX-License-Identifier: GPL-2.0-only
#include "loader/transformer-section.h"

#include "schema/scenario.pb.h"

#include <string>

namespace geotrain
{

namespace
{

void
FillTransformer(scenario::Model& model, const ScenarioFile& file)
{
    auto& written = *model.mutable_transformer();
    if (!written.has_kv_heads())
    {
        written.set_kv_heads(written.heads());
    }
    if (!written.has_head_width())
    {
        if (written.hidden() % written.heads() != 0)
        {
            file.Fail("model.transformer.heads",
                      std::to_string(written.heads()),
                      "must divide hidden (" + std::to_string(written.hidden()) +
                          ") unless head_width is set");
        }
        written.set_head_width(written.hidden() / written.heads());
    }
    if (!written.has_ffn_width())
    {
        written.set_ffn_width(written.has_experts() ? written.experts().width()
                                                    : 4 * written.hidden());
    }
    if (!written.has_max_context())
    {
        if (!model.has_sequence())
        {
            file.Fail("model.sequence", "", "must be set");
        }
        written.set_max_context(model.sequence());
    }
}

ExpertSpec
ExpertsOf(const scenario::Transformer& transformer)
{
    const auto& written = transformer.experts();
    ExpertSpec experts;
    experts.count = Small(written.count());
    experts.perToken = Small(written.per_token());
    experts.width = Small(written.width());
    experts.sharedWidth = Small(written.shared_width());
    experts.hasSharedGate = written.shared_gate();
    experts.hasRouterBias = written.router_bias();
    experts.groups = Small(written.groups());
    experts.groupsPerToken = Small(written.groups_per_token());
    return experts;
}

/// Writes fields that most models leave unset only where they are set.
void
WriteWhatFewModelsHave(const TransformerSpec& spec, scenario::Transformer& written)
{
    const auto number = [&written](auto setter, std::uint32_t value, std::uint32_t usual)
    {
        if (value != usual)
        {
            (written.*setter)(value);
        }
    };
    const auto flag = [&written](auto setter, bool value)
    {
        if (value)
        {
            (written.*setter)(true);
        }
    };
    using Written = scenario::Transformer;
    number(&Written::set_sliding_window, spec.slidingWindow, 0);
    number(&Written::set_linear_block, spec.linearBlock, 0);
    number(&Written::set_value_width, spec.valueWidth, 0);
    number(&Written::set_norms_per_layer, spec.normsPerLayer, 2);
    flag(&Written::set_window_is_chunk, spec.isWindowChunk);
    flag(&Written::set_weightless_norms, !spec.normWeights);
    flag(&Written::set_embedding_norm, spec.embeddingNorm);
    flag(&Written::set_head_bias, spec.headBias);
    flag(&Written::set_attention_sinks, spec.attentionSinks);
    flag(&Written::set_parallel_block, spec.parallelBlock);
    if (spec.outputBias != spec.linearBias)
    {
        written.set_output_bias(spec.outputBias);
    }
    if (spec.queryKeyNorm != QueryKeyNorm::None)
    {
        written.set_query_key_norm(WrittenAs<scenario::QueryKeyNorm>(spec.queryKeyNorm));
    }
    if (spec.latent.kvRank > 0)
    {
        auto& latent = *written.mutable_latent_attention();
        latent.set_kv_rank(spec.latent.kvRank);
        latent.set_rotary_width(spec.latent.rotaryWidth);
        if (spec.latent.queryRank > 0)
        {
            latent.set_query_rank(spec.latent.queryRank);
        }
    }
}

void
WriteLayers(const TransformerSpec& spec, scenario::Transformer& written)
{
    const ExpertSpec& experts = spec.experts;
    if (experts.count > 0)
    {
        auto& section = *written.mutable_experts();
        section.set_count(experts.count);
        section.set_per_token(experts.perToken);
        section.set_width(experts.width);
        section.set_shared_width(experts.sharedWidth);
        section.set_shared_gate(experts.hasSharedGate);
        section.set_router_bias(experts.hasRouterBias);
        if (experts.groups > 0)
        {
            section.set_groups(experts.groups);
            section.set_groups_per_token(experts.groupsPerToken);
        }
    }
    for (const LayerGroup& group : spec.layerGroups)
    {
        auto& section = *written.add_layer_group();
        section.set_layers(group.layers);
        section.set_attends_to_all(group.attendsToAll);
        section.set_dense(group.isDense);
        section.set_linear(group.isLinear);
    }
}

} // namespace

TransformerSpec
FromTransformer(scenario::Model& model, const ScenarioFile& file)
{
    FillTransformer(model, file);
    const auto& written = model.transformer();
    TransformerSpec spec;
    spec.name = "transformer";
    spec.layers = Small(written.layers());
    spec.hidden = Small(written.hidden());
    spec.heads = Small(written.heads());
    spec.kvHeads = Small(written.kv_heads());
    spec.headWidth = Small(written.head_width());
    spec.ffnWidth = Small(written.ffn_width());
    spec.gated = written.gated();
    spec.vocabulary = Small(written.vocabulary());
    spec.tiedEmbeddings = written.tied_embeddings();
    spec.maxContext = Small(written.max_context());
    spec.sequence = spec.maxContext;
    spec.learnedPositions = written.learned_positions();
    spec.layerNorm = written.layer_norm();
    spec.qkvBias = written.qkv_bias();
    spec.linearBias = written.linear_bias();
    spec.outputBias = written.has_output_bias() ? written.output_bias() : spec.linearBias;
    spec.slidingWindow = Small(written.sliding_window());
    spec.isWindowChunk = written.window_is_chunk();
    spec.linearBlock = Small(written.linear_block());
    spec.valueWidth = Small(written.value_width());
    spec.latent = {Small(written.latent_attention().query_rank()),
                   Small(written.latent_attention().kv_rank()),
                   Small(written.latent_attention().rotary_width())};
    spec.queryKeyNorm = written.has_query_key_norm()
                            ? EnumOf<QueryKeyNorm>(written.query_key_norm())
                            : QueryKeyNorm::None;
    spec.normWeights = !written.weightless_norms();
    spec.normsPerLayer =
        written.has_norms_per_layer() ? Small(written.norms_per_layer()) : spec.normsPerLayer;
    spec.embeddingNorm = written.embedding_norm();
    spec.headBias = written.head_bias();
    spec.attentionSinks = written.attention_sinks();
    spec.parallelBlock = written.parallel_block();
    spec.experts = ExpertsOf(written);
    for (const auto& group : written.layer_group())
    {
        spec.layerGroups.push_back(
            {Small(group.layers()), group.attends_to_all(), group.dense(), group.linear()});
    }
    return spec;
}

void
WriteTransformer(const TransformerSpec& spec, scenario::Transformer& written)
{
    written.set_layers(spec.layers);
    written.set_hidden(spec.hidden);
    written.set_heads(spec.heads);
    written.set_kv_heads(spec.kvHeads);
    written.set_head_width(spec.headWidth);
    written.set_ffn_width(spec.ffnWidth);
    written.set_gated(spec.gated);
    written.set_vocabulary(spec.vocabulary);
    written.set_tied_embeddings(spec.tiedEmbeddings);
    written.set_max_context(spec.maxContext);
    written.set_learned_positions(spec.learnedPositions);
    written.set_layer_norm(spec.layerNorm);
    written.set_qkv_bias(spec.qkvBias);
    written.set_linear_bias(spec.linearBias);
    WriteWhatFewModelsHave(spec, written);
    WriteLayers(spec, written);
}

} // namespace geotrain
