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

# Log-probs of two models for their scaled logits [n, words]; with top_k over the words that are the most probable under the
# second one, each distribution normalized again, and then the numbers of these words.
def compared(self, logits: Tensor, others: Tensor, temperature: float, other_temperature: float, top_k: int) -> List[Tensor]:
  words = annotate(List[Tensor], [])
  if top_k > 0:
    others, best = torch.topk(others, top_k)
    logits = torch.gather(logits, 1, best)
    words.append(best)
  return [torch.log_softmax(logits / temperature, -1), torch.log_softmax(others / other_temperature, -1)] + words

# The log of the mixture (1 - beta) p + beta q, for 0 < beta < 1.
def log_mixture(self, log_p: Tensor, log_q: Tensor, beta: float) -> Tensor:
  return torch.logaddexp(log_p + torch.log(1. - beta), log_q + torch.log(beta))

# The generalized Jensen-Shannon divergence [n] of distributions p and q: with their mixture m, beta KL(q|m) + (1 - beta)
# KL(p|m), and at its ends KL(q|p) for beta 0, KL(p|q) for beta 1.
def jsd(self, log_p: Tensor, log_q: Tensor, beta: float) -> Tensor:
  if beta == 0.:
    return torch.exp(log_q).mul_(log_q - log_p).sum([-1])
  if beta == 1.:
    return torch.exp(log_p).mul_(log_p - log_q).sum([-1])
  log_m = self.log_mixture(log_p, log_q, beta)
  of_q = torch.exp(log_q).mul_(log_q - log_m).sum([-1])
  return of_q * beta + torch.exp(log_p).mul_(log_p - log_m).sum([-1]) * (1. - beta)

# The gradient of jsd with respect to the logits of p [n, words]: p (s - sum of p s), where s is (1 - beta) log(p / m), or
# log(p / q) for beta 1; p - q for beta 0.
def jsd_gradient(self, log_p: Tensor, log_q: Tensor, beta: float) -> Tensor:
  p = torch.exp(log_p)
  if beta == 0.:
    return p.sub_(torch.exp(log_q))
  s = log_p - log_q if beta == 1. else (log_p - self.log_mixture(log_p, log_q, beta)).mul_(1. - beta)
  return s.sub_((p * s).sum([-1], True)).mul_(p)

# For each row [N] the divergence jsd of the distribution of rows [N, C] and that of the hidden states others [N, D] of
# another model, over the words that both have. With a loss's derivatives by it [N] in `by` the gradient of the rows instead,
# added to the one [N, C] that follows, if any; the weight's is added to the tensor in w_grad, if any.
def head_jsd(self, rows: Tensor, w: Tensor, others: Tensor, other_w: Tensor, beta: float, temperature: float, other_temperature: float, top_k: int, by: List[Tensor], w_grad: List[Tensor], chunk: int) -> Tensor:
  chunk = self.jsd_chunk(chunk)
  words = min(w.shape[0], other_w.shape[0])
  w = w[:words].to(self.LOGITS)
  other_w = other_w[:words].to(self.LOGITS)
  found = annotate(List[Tensor], [])
  for at in range(0, rows.shape[0], chunk):
    r = rows[at:at + chunk].to(self.LOGITS)
    logits = self.scaled(self.logits(r, w))
    other_logits = self.scaled(self.logits(others[at:at + chunk], other_w))
    both = self.compared(logits, other_logits, temperature, other_temperature, top_k)
    if len(by) == 0:
      found.append(self.jsd(both[0], both[1], beta))
    else:
      d = self.jsd_gradient(both[0], both[1], beta)
      d = d.mul_(self.unscaled(by[0][at:at + chunk].unsqueeze(1)) / temperature)
      if top_k > 0:
        d = torch.zeros_like(logits).scatter_(1, both[2], d)
      by_logits = d.to(self.LOGITS)
      found.append(self.grad_input(by_logits, w).to(self.WIDE))
      for g in w_grad:
        self.add_grad_weight(g[:words], by_logits, r)
  return torch.cat(found) if len(by) < 2 else by[1] + torch.cat(found)
