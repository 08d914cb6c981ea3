# The token head (head.py) for processors: logits of a chunk of rows are processed in blocks.

# Logits in LOGITS of rows [n, C].
def narrow_logits(self, rows: Tensor, w: Tensor) -> Tensor:
  return self.product(rows.to(self.LOGITS), w.to(self.LOGITS), None)

# The number of rows of logits processed at once between two products: few enough for the processor's cache.
def block_rows(self, vocabulary: int) -> int:
  return max(1, self.BLOCK_LOGITS // vocabulary)

# The rows of a chunk of head_jsd.
def jsd_chunk(self, chunk: int) -> int:
  return chunk

# rows [N, C], targets [N] -> log-probs [N], entropies [N]; with `squares` the sums [N] of the squared probabilities of the
# vocabulary; with `keep`, block by block, the log-probs of the full vocabulary. The columns are allocated before the
# blocks: small tensors in the gaps between freed blocks would fragment memory.
def head_forward(self, rows: Tensor, w: Tensor, targets: Tensor, chunk: int, keep: bool, squares: bool) -> List[Tensor]:
  w = w.to(self.LOGITS)
  block = self.block_rows(w.shape[0])
  N = rows.shape[0]
  columns = annotate(List[Tensor], [])
  for i in range(3 if squares else 2):
    columns.append(torch.empty([N], dtype=self.WIDE, device=rows.device))
  kept = annotate(List[Tensor], [])
  for at in range(0, N, chunk):
    logits = self.narrow_logits(rows[at:at + chunk], w)
    for b in range(0, logits.shape[0], block):
      log_p = torch.log_softmax(self.scaled(logits[b:b + block].to(self.WIDE)), -1)
      first = at + b
      end = first + log_p.shape[0]
      columns[0][first:end] = torch.gather(log_p, 1, targets[first:end].unsqueeze(1)).flatten()
      p = torch.exp(log_p)
      if squares:
        columns[2][first:end] = (p * p).sum([-1])
      columns[1][first:end] = -p.mul_(log_p).sum([-1])
      if keep:
        kept.append(log_p)
  return columns + kept

# For each row [N] the KL divergence of the distribution p of rows [N, C] from the distribution q of the hidden states
# others [N, D] of another model: the sum of p (log p - log q) over the vocabulary.
def head_divergence(self, rows: Tensor, w: Tensor, others: Tensor, other_w: Tensor, chunk: int) -> Tensor:
  w = w.to(self.LOGITS)
  other_w = other_w.to(self.LOGITS)
  block = self.block_rows(w.shape[0])
  N = rows.shape[0]
  found = torch.empty([N], dtype=self.WIDE, device=rows.device)
  for at in range(0, N, chunk):
    logits = self.narrow_logits(rows[at:at + chunk], w)
    other_logits = self.narrow_logits(others[at:at + chunk], other_w)
    for b in range(0, logits.shape[0], block):
      log_p = torch.log_softmax(self.scaled(logits[b:b + block].to(self.WIDE)), -1)
      log_q = torch.log_softmax(self.scaled(other_logits[b:b + block].to(self.WIDE)), -1)
      first = at + b
      found[first:first + log_p.shape[0]] = torch.exp(log_p).mul_(log_p - log_q).sum([-1])
  return found

# The gradient of a loss whose derivatives with respect to log-probs and entropies are by_log_prob and by_entropy [N].
# With p the probabilities and H the entropy of a row, the gradient of the scaled logits is
#   by_log_prob * (onehot - p) - by_entropy * p * (log p + H).
# An empty by_entropy is 0.
# Adds the weight's gradient to the tensor in w_grad, if any; returns that of the rows. Overwrites kept.
def head_backward(self, rows: Tensor, w: Tensor, w_grad: List[Tensor], targets: Tensor, entropies: Tensor, by_log_prob: Tensor, by_entropy: Tensor, kept: List[Tensor], chunk: int) -> Tensor:
  w = w.to(self.LOGITS)
  by_log_prob = self.unscaled(by_log_prob)
  by_entropy = self.unscaled(by_entropy) if by_entropy.numel() > 0 else torch.zeros_like(by_log_prob)
  block = self.block_rows(w.shape[0])
  grads = annotate(List[Tensor], [])
  done = 0
  for at in range(0, rows.shape[0], chunk):
    r = rows[at:at + chunk].to(self.LOGITS)
    if len(kept) == 0:
      by_logits = self.narrow_logits(r, w)
    else:
      by_logits = torch.empty([r.shape[0], w.shape[0]], dtype=self.LOGITS, device=r.device)
    for b in range(0, r.shape[0], block):
      part = by_logits[b:b + block]
      if len(kept) == 0:
        log_p = torch.log_softmax(self.scaled(part.to(self.WIDE)), -1)
      else:
        log_p = kept[done]
      done += 1
      first = at + b
      end = first + part.shape[0]
      g_lp = by_log_prob[first:end].unsqueeze(1)
      g_h = by_entropy[first:end].unsqueeze(1)
      h = entropies[first:end].unsqueeze(1)
      d = torch.addcmul(-(g_lp + g_h * h), log_p, g_h, value=-1).mul_(torch.exp_(log_p))
      part.copy_(d.scatter_add_(1, targets[first:end].unsqueeze(1), g_lp))
    grads.append(self.grad_input(by_logits, w).to(self.WIDE))
    for g in w_grad:
      self.add_grad_weight(g, by_logits, r)
  return torch.cat(grads)
