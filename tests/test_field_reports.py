"""What goes wrong for users of such libraries, kind by kind, and the tests that keep it right here.

The kinds are those of public reports against courses and libraries of this field.
"""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
KINDS: dict[str, str] = {
    "mask polarity": "test_migration.py::test_same_polarity",
    "mask dtype": "test_masks.py::test_a_mask_of_another_dtype_is_refused_with_the_way_out",
    "fully masked rows": "test_attention.py::"
    "test_fully_masked_rows_give_zeros_and_finite_gradients",
    "causal alignment with a cache": "test_masks.py::test_causal_mask_is_aligned_bottom_right",
    "cached differs from uncached": "test_positions.py::"
    "test_decoding_with_a_cache_is_decoding_without",
    "one position for a whole padded batch": "test_transformer.py::"
    "test_padding_changes_nothing_and_a_batch_equals_its_sentences",
    "ALiBi over the query length": "test_relative_positions.py::"
    "test_the_bias_is_minus_slope_times_distance_for_each_row",
    "RoPE layout": "test_rotary.py::test_converted_projections_give_the_same_attention",
    "RoPE axis": "test_rotary.py::test_it_turns_along_time_alike_in_every_head_and_by_row",
    "RoPE partial dims": "test_rotary.py::"
    "test_a_fraction_turns_the_front_as_a_smaller_head_and_passes_the_rest",
    "RoPE tables in half precision": "test_rotary.py::test_tables_are_float32_and_cast_last",
    "YaRN attention factor": "test_rotary.py::"
    "test_yarns_attention_factor_is_applied_once_to_queries_and_once_to_keys",
    "dropout in eval": "test_transformer.py::test_dropout_is_off_in_eval",
    "LayerNorm variant": "test_normalization.py::"
    "test_the_variance_is_the_biased_one_with_eps_inside_the_root",
    "pre- and post-norm mixed up": "test_layers.py::test_encoder_layer_equals_torchs_own",
    "identical initial layers": "test_initialization.py::test_equal_layers_do_not_start_equal",
    "attention weights not to be had": "test_capture.py::"
    "test_a_whole_model_is_captured_and_computes_the_same",
    "view instead of transpose": "test_attention.py::test_multi_head_equals_head_by_head",
    "wrong scale": "test_attention.py::test_equals_the_reference",
    "odd d_model in sinusoids": "test_positions.py::test_an_odd_width_ends_on_a_sine",
    "longer than max_len": "test_transformer.py::test_over_long_input_is_named_also_with_a_cache",
    "-1e9 in fp16": "test_attention.py::test_half_precision_scores_do_not_overflow_before_scaling",
    "label smoothing and pads": "test_objectives.py::test_it_equals_torch_in_value_and_gradient",
    "padding in the loss denominator": "test_objectives.py::test_more_padding_changes_nothing",
    "Noam at step 0": "translator/test_schedule.py::test_step_0_and_short_warmups",
    "targets unshifted, EOS fed": "test_objectives.py::"
    "test_the_end_token_is_never_fed_and_every_label_follows_its_input",
    "BLEU tokenisation": "translator/test_evaluation.py::test_bleu_and_chrf_are_sacrebleus",
    "beam stops too early": "test_generation.py::"
    "test_the_beam_goes_on_when_its_best_hypothesis_ends",
    "cache not reordered": "test_kv_cache.py::test_reordering_moves_whole_rows",
    "tying by copy": "pretrained/test_loading.py::"
    "test_gpt2s_tied_head_stays_tied_after_load_move_and_save",
    "tied weights in safetensors": "pretrained/test_loading.py::"
    "test_tied_weights_are_stored_once_and_stay_tied",
    "_orig_mod. keys": "pretrained/test_loading.py::test_names_that_wrappers_left_behind",
    "BERT gamma and beta": "pretrained/test_encoders.py::test_the_names_of_the_first_years",
    "GPT-2 Conv1D": "pretrained/test_decoders.py::test_float32_logits_and_hidden_states",
    "GELU variant": "test_feed_forward.py::test_the_two_gelus_differ_by_the_documented_amount",
    "text in the locale's encoding": "test_package.py::test_house_rules",
    "a device that fails silently": "translator/test_devices.py::"
    "test_a_device_that_reports_itself_but_fails_is_not_chosen",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_has_its_test(kind: str) -> None:
    file, _, name = KINDS[kind].partition("::")
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name]
    assert functions, f"{kind}: {KINDS[kind]} is gone"
