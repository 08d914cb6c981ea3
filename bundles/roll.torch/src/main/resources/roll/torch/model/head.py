# The token head: log-probs of given tokens and entropies, in chunks of rows, so that logits of [tokens, vocabulary] never
# exist at once; the gradient is hand-written, so that no graph holds them (head_blocks.py, card_head.py). Products are in
# LOGITS.

# The weight of the token head in the tensors w, which may be followed by a vision tower's.
def head_weight(self, w: List[Tensor]) -> Tensor:
  return w[0] if self.TIED_HEAD else w[2 + self.LAYERS * self.LAYER_SIZE]

# Logits in WIDE of rows [n, C].
def logits(self, rows: Tensor, w: Tensor) -> Tensor:
  return self.wide_product(rows.to(self.LOGITS), w.to(self.LOGITS))

# Logits [n, vocabulary] in WIDE for log-probs: divided by the temperature, and with IMAGE and VIDEO masked, the image
# placeholders, which no response contains. A masked logit is so low that its probability is 0; minus infinity times 0
# would be NaN. May overwrite the logits.
def scaled(self, logits: Tensor) -> Tensor:
  if self.LOGITS_TEMPERATURE != 1.:
    logits = logits / self.LOGITS_TEMPERATURE
  if self.IMAGE >= 0:
    torch.select(logits, 1, self.IMAGE).fill_(-1e9)
  if self.VIDEO >= 0:
    torch.select(logits, 1, self.VIDEO).fill_(-1e9)
  return logits

# The gradient of the logits, given that of the scaled logits; linear, so that it can be applied to its factors.
def unscaled(self, grad: Tensor) -> Tensor:
  return grad if self.LOGITS_TEMPERATURE == 1. else grad / self.LOGITS_TEMPERATURE
