# Sampling. Every row has its own settings, and nothing of a row depends on the others.

# The token of each row of logits [rows, vocabulary]. Temperature, then top-k, then top-p, with the bounds and ties of
# transformers' logits warpers (transformers/generation/logits_process.py); a temperature of 0 takes the likeliest token.
# uniforms [rows] in [0, 1), double, are the random numbers. sampled: whether any temperature is above 0; filtered: whether
# any top_k is above 0 or any top_p below 1.
def choose(self, logits: Tensor, uniforms: Tensor, temperature: Tensor, top_k: Tensor, top_p: Tensor, sampled: bool, filtered: bool) -> Tensor:
  greedy = torch.argmax(logits, -1)
  if not sampled:
    return greedy
  warm = temperature > 0
  scores = logits / torch.where(warm, temperature, torch.ones_like(temperature)).unsqueeze(1)
  if filtered:
    scores = self.filter(scores, top_k, top_p)
  # inverse of the distribution function, in the vocabulary's order and in double precision
  sums = torch.cumsum(torch.softmax(scores, -1), -1, dtype=7)
  drawn = torch.searchsorted(sums, uniforms.unsqueeze(1) * sums[:, -1:], right=True).squeeze(1)
  return torch.where(warm, drawn, greedy)

# Scores with all but the top-k and of these all but the top-p at minus infinity.
def filter(self, scores: Tensor, top_k: Tensor, top_p: Tensor) -> Tensor:
  size = scores.shape[1]
  ranked, order = torch.sort(scores, stable=True, dim=-1, descending=False)
  kept = torch.where(top_k > 0, top_k, torch.full_like(top_k, size)).clamp(1, size)
  least = torch.gather(ranked, 1, (size - kept).unsqueeze(1))
  ranked = torch.masked_fill(ranked, ranked < least, -inf)
  below = torch.cumsum(torch.softmax(ranked, -1), -1) <= 1 - top_p.unsqueeze(1)
  removed = torch.logical_and(below, (top_p < 1).unsqueeze(1))
  removed[:, -1] = False
  return torch.scatter(scores, 1, order, torch.masked_fill(ranked, removed, -inf))

# Log-prob [rows] of each row's token at temperature 1 over the whole vocabulary.
def token_log_probs(self, logits: Tensor, ids: Tensor) -> Tensor:
  return torch.gather(torch.log_softmax(logits, -1), 1, ids.unsqueeze(1)).squeeze(1)
