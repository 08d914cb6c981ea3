"""Writes a model and its golden.json into each folder here: python golden.py, with torch 2.13 and transformers 5.17.

Every weight is random and exact in bf16. Log-probs and the AdamW step are computed by transformers and torch in f64.
"""

import json
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, GemmaConfig, SeedOssConfig

SAMPLES = [[3, 141, 59, 26, 5, 35, 89, 79, 32, 38, 46], [26, 43, 38, 3], [27, 95, 0, 28, 84, 19, 71]]
COMMON = dict(
    vocab_size=160, hidden_size=8, intermediate_size=16, num_hidden_layers=2, num_attention_heads=4, head_dim=6,
    max_position_embeddings=64, rms_norm_eps=1e-5, bos_token_id=None, eos_token_id=None, pad_token_id=None)


def write(config, norm):
    """norm: the mean of the weights of norms."""
    folder = Path(__file__).parent / config.model_type
    torch.manual_seed(7)
    model = AutoModelForCausalLM.from_config(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            width = weight.shape[1] ** -0.5 if weight.dim() > 1 else 0.3
            weight.copy_(torch.randn_like(weight) * width + (norm if "norm" in name else 0))
    model.bfloat16().save_pretrained(folder)
    (folder / "generation_config.json").unlink()
    # rounded weights, exact rotations
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).double()
    before = log_probs(model)
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=0.01)
    (-before.mean()).backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    golden = {
        "parameters": model.num_parameters(), "samples": SAMPLES, "logProbs": before.tolist(),
        "gradNorm": norm.item(), "after": log_probs(model).tolist()}
    (folder / "golden.json").write_text(json.dumps(golden, indent=1) + "\n")


def log_probs(model):
    """Those of all tokens but the first of each sample."""
    rows = []
    for sample in SAMPLES:
        tokens = torch.tensor([sample])
        logits = model(tokens).logits[0, :-1].log_softmax(-1)
        rows.append(logits.gather(1, tokens[0, 1:, None])[:, 0])
    return torch.cat(rows)


write(SeedOssConfig(**COMMON, num_key_value_heads=2, attention_dropout=0.0, residual_dropout=0.0), 1)
write(GemmaConfig(**COMMON, num_key_value_heads=1), 0)
