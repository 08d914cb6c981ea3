"""What Card.java needs of PyTorch: rates of transformers with the shape of Qwen2.5-0.5B, and a full card.

beside.py measure [--cpu]       a training step, decoding of 256 and of one sequence; a line for each as it is known
beside.py hold <MiB> <file>     takes all memory of the card but so much, writes the file, and waits to be killed
"""

import sys
import time

import torch


def hold(left, file):
    free, _ = torch.cuda.mem_get_info()
    held = torch.empty(free - left * 2**20, dtype=torch.uint8, device="cuda")
    with open(file, "w") as out:
        out.write(str(held.numel()))
    time.sleep(3600)


def model(small):
    from transformers import Qwen2Config, Qwen2ForCausalLM

    # the shapes of `roll bench card`
    sizes = (4_000, 128, 512, 4, 8) if small else (151_936, 896, 4_864, 24, 14)
    vocabulary, hidden, inner, layers, heads = sizes
    config = Qwen2Config(
        vocab_size=vocabulary,
        hidden_size=hidden,
        intermediate_size=inner,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=2,
        max_position_embeddings=32_768,
        tie_word_embeddings=True,
        attn_implementation="sdpa",
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=0,
    )
    torch.manual_seed(1)
    return Qwen2ForCausalLM(config)


def seconds(work, device, repeats=3):
    """Returns the seconds of the fastest run after a first one."""
    best = float("inf")
    for i in range(repeats + 1):
        begun = time.perf_counter()
        work()
        if device == "cuda":
            torch.cuda.synchronize()
        if i > 0:
            best = min(best, time.perf_counter() - begun)
    return best


def train(device, small):
    samples, length = (4, 64) if small else (16, 1024)
    trained = model(small).to(device)
    tokens = torch.randint(0, trained.config.vocab_size, (samples, length), device=device)
    optimizer = torch.optim.AdamW(trained.parameters(), lr=1e-6, fused=device == "cuda")

    def step():
        # f32 master weights, bf16 products, as roll computes
        with torch.autocast(device, dtype=torch.bfloat16, enabled=not small):
            loss = trained(input_ids=tokens, labels=tokens, use_cache=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained.parameters(), 1)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    rate = samples * length / seconds(step, device)
    print(f"train: transformers, training {samples} x {length}, AdamW: {rate:,.0f} tokens/s", flush=True)


def decode(device, small, dtype):
    generating = model(small).to(device, dtype).eval()

    def generate(batch, tokens, compiled):
        prompt = torch.randint(1, generating.config.vocab_size, (batch, 16), device=device)
        generating.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            min_new_tokens=tokens,
            max_new_tokens=tokens,
            do_sample=True,
            temperature=0.6,
            cache_implementation="static",
            disable_compile=not compiled,
        )

    batch, tokens = (8, 16) if small else (256, 512)
    spent = seconds(lambda: generate(batch, tokens, False), device, 1)
    print(f"decode: transformers, generate {batch} x {tokens}: {batch * tokens / spent:,.0f} tokens/s", flush=True)
    for compiled in (False,) if small else (False, True):
        spent = seconds(lambda: generate(1, 129, compiled), device) - seconds(lambda: generate(1, 1, compiled), device)
        name = "compiled" if compiled else "eager"
        print(f"single: transformers, one sequence, {name}: {1000 * spent / 128:.2f} ms a token", flush=True)


def measure(small):
    device = "cpu" if small else "cuda"
    with torch.no_grad():
        decode(device, small, torch.float32 if small else torch.bfloat16)
    train(device, small)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure"]:
            measure(False)
        case ["measure", "--cpu"]:
            measure(True)
        case ["hold", left, file]:
            hold(int(left), file)
        case _:
            sys.exit(__doc__)
