"""Writes a model and its golden.json into each folder here: python golden.py, with torch 2.13, pillow 12.3 and
transformers 5.17; 5.18 for Qwen3-VL.

Every weight is random and exact in bf16. Log-probs and the AdamW step are computed by transformers and torch in f64.
"""

import json
from pathlib import Path

import numpy
import torch
from PIL import Image
from transformers import (
    AutoImageProcessor, AutoModelForCausalLM, AutoModelForImageTextToText, GemmaConfig, Qwen3VLConfig, Qwen3VLMoeConfig,
    SeedOssConfig)

IMAGE = 150
VIDEO = 151
SAMPLES = [[3, 141, 59, 26, 5, 35, 89, 79, 32, 38, 46], [26, 43, 38, 3], [27, 95, 0, 28, 84, 19, 71]]
COMMON = dict(
    vocab_size=160, hidden_size=8, intermediate_size=16, num_hidden_layers=2, num_attention_heads=4, head_dim=6,
    max_position_embeddings=64, rms_norm_eps=1e-5, bos_token_id=None, eos_token_id=None, pad_token_id=None)


def write(config, norm, samples=SAMPLES, pictures=None, auto=AutoModelForCausalLM, **options):
    """norm: the mean of the weights of norms; pictures: names of those of each sample; options: of from_pretrained."""
    folder = Path(__file__).parent / config.model_type
    torch.manual_seed(7)
    model = auto.from_config(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            width = (weight.numel() / weight.shape[0]) ** -0.5 if weight.dim() > 1 else 0.3
            weight.copy_(torch.randn_like(weight) * width + (norm if "norm" in name else 0))
    model.bfloat16().save_pretrained(folder)
    (folder / "generation_config.json").unlink()
    # rounded weights, exact rotations
    model = auto.from_pretrained(folder, dtype=torch.float32, **options).double()
    shown = pictures or [[] for _ in samples]
    before = log_probs(model, folder, samples, shown)
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=0.01)
    (-before.mean()).backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    golden = {
        "parameters": model.num_parameters(), "samples": samples, "logProbs": before.tolist(),
        "gradNorm": norm.item(), "after": log_probs(model, folder, samples, shown).tolist()}
    if pictures:
        golden["pictures"] = pictures
    (folder / "golden.json").write_text(json.dumps(golden, indent=1) + "\n")


def log_probs(model, folder, samples, pictures):
    """Those of all tokens but the first of each sample and placeholders, which have no probability."""
    rows = []
    for sample, shown in zip(samples, pictures):
        tokens = torch.tensor([sample])
        seen = {}
        if shown:
            processor = AutoImageProcessor.from_pretrained(folder)
            seen = processor([Image.open(folder / name) for name in shown], return_tensors="pt")
            seen = {key: value.double() if value.is_floating_point() else value for key, value in seen.items()}
            seen["mm_token_type_ids"] = (tokens == IMAGE).int()
        logits = model(tokens, **seen).logits[0, :-1]
        if "_vl" in folder.name:
            logits[:, [IMAGE, VIDEO]] = -1e9
        found = logits.log_softmax(-1).gather(1, tokens[0, 1:, None])[:, 0]
        rows.append(found[tokens[0, 1:] != IMAGE])
    return torch.cat(rows)


def see(folder, sizes):
    """Pictures of random pixels, and their processor."""
    folder.mkdir(exist_ok=True)
    random = numpy.random.default_rng(7)
    for i, (width, height) in enumerate(sizes):
        pixels = random.integers(0, 256, (height, width, 3), dtype=numpy.uint8)
        Image.fromarray(pixels).save(folder / f"{i}.png")
    config = {
        "image_processor_type": "Qwen2VLImageProcessorFast", "size": {"shortest_edge": 16, "longest_edge": 4096},
        "patch_size": 2, "temporal_patch_size": 2, "merge_size": 2,
        "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5]}
    (folder / "preprocessor_config.json").write_text(json.dumps(config, indent=1) + "\n")


write(SeedOssConfig(**COMMON, num_key_value_heads=2, attention_dropout=0.0, residual_dropout=0.0), 1)
write(GemmaConfig(**COMMON, num_key_value_heads=1), 0)
text = dict(COMMON, head_dim=8, num_hidden_layers=3, num_key_value_heads=2, rope_parameters=dict(
    rope_type="default", rope_theta=1000.0, mrope_interleaved=True, mrope_section=[2, 1, 1]))
tower = dict(
    depth=3, hidden_size=8, intermediate_size=12, num_heads=2, out_hidden_size=8, patch_size=2,
    num_position_embeddings=9, deepstack_visual_indexes=[0, 1])
few = dict(num_hidden_layers=1, num_experts=3, num_experts_per_tok=2, moe_intermediate_size=6)
small = dict(depth=1, deepstack_visual_indexes=[0])
seen = [SAMPLES[0], [26, *[IMAGE] * 6, 43, 38, 3, 9], [27, *[IMAGE] * 2, 95, 0, *[IMAGE] * 6, 28, 84, 19, 71]]
for kind, less, lower, options in (
        (Qwen3VLConfig, {}, {}, {}), (Qwen3VLMoeConfig, few, small, dict(experts_implementation="eager"))):
    config = kind(
        text_config=dict(text, **less), vision_config=dict(tower, **lower), image_token_id=IMAGE,
        video_token_id=VIDEO)
    see(Path(__file__).parent / config.model_type, [(12, 8), (4, 8)])
    write(config, 1, seen, [[], ["0.png"], ["1.png", "0.png"]], AutoModelForImageTextToText, **options)
