# The token head (head.py) for cards: chunks have at least HEAD_ROWS rows, and two tensors of their logits' size at a time,
# with a third in LOGITS for their gradient.

# The log-probs of the vocabulary for rows [n, C], in WIDE.
def row_log_probs(self, rows: Tensor, w: Tensor) -> Tensor:
  return torch.log_softmax(self.scaled(self.logits(rows, w)), -1)

# The rows of a chunk of head_jsd, which has about four times as many tensors of this size. Each chunk reads both heads.
def jsd_chunk(self, chunk: int) -> int:
  return max(chunk, self.HEAD_ROWS // 4)

# The results of head_blocks.py; `kept` has a tensor for each chunk.
def head_forward(self, rows: Tensor, w: Tensor, targets: Tensor, chunk: int, keep: bool, squares: bool) -> List[Tensor]:
  chunk = max(chunk, self.HEAD_ROWS)
  columns = annotate(List[Tensor], [])
  for i in range(3 if squares else 2):
    columns.append(torch.empty([rows.shape[0]], dtype=self.WIDE, device=rows.device))
  kept = annotate(List[Tensor], [])
  for at in range(0, rows.shape[0], chunk):
    log_p = self.row_log_probs(rows[at:at + chunk], w)
    end = at + log_p.shape[0]
    columns[0][at:end] = torch.gather(log_p, 1, targets[at:end].unsqueeze(1)).flatten()
    p = torch.exp(log_p)
    if squares:
      columns[2][at:end] = torch.linalg_vector_norm(p, 2, [-1]).square()
    columns[1][at:end] = -p.mul_(log_p).sum([-1])
    if keep:
      kept.append(log_p)
  return columns + kept

def head_divergence(self, rows: Tensor, w: Tensor, others: Tensor, other_w: Tensor, chunk: int) -> Tensor:
  chunk = max(chunk, self.HEAD_ROWS)
  found = annotate(List[Tensor], [])
  for at in range(0, rows.shape[0], chunk):
    log_p = self.row_log_probs(rows[at:at + chunk], w)
    less = self.row_log_probs(others[at:at + chunk], other_w).sub_(log_p)
    found.append(-torch.exp_(log_p).mul_(less).sum([-1]))
  return torch.cat(found)

# As in head_blocks.py. By far most of the time goes into passes over the logits, so their gradient is written in LOGITS at
# once, and those of the targets are added to it in WIDE before.
def head_backward(self, rows: Tensor, w: Tensor, w_grad: List[Tensor], targets: Tensor, entropies: Tensor, by_log_prob: Tensor, by_entropy: Tensor, kept: List[Tensor], chunk: int) -> Tensor:
  chunk = max(chunk, self.HEAD_ROWS)
  w = w.to(self.LOGITS)
  by_log_prob = self.unscaled(by_log_prob)
  by_entropy = self.unscaled(by_entropy)
  grads = annotate(List[Tensor], [])
  for at in range(0, rows.shape[0], chunk):
    r = rows[at:at + chunk].to(self.LOGITS)
    end = at + r.shape[0]
    target = targets[at:end].unsqueeze(1)
    g_lp = by_log_prob[at:end].unsqueeze(1)
    if by_entropy.numel() == 0:
      p = torch.exp_(kept[len(grads)]) if len(kept) > 0 else torch.softmax(self.scaled(self.logits(r, w)), -1)
      d = -g_lp
      own = d
    else:
      d = kept[len(grads)] if len(kept) > 0 else self.row_log_probs(r, w)
      p = torch.exp(d)
      g_h = by_entropy[at:end].unsqueeze(1)
      d = torch.addcmul(-(g_lp + g_h * entropies[at:end].unsqueeze(1)), d, g_h, value=-1, out=d)
      own = torch.gather(d, 1, target)
    own = torch.addcmul(g_lp, torch.gather(p, 1, target), own)
    by_logits = torch.mul(p, d, out=p if self.LOGITS == self.WIDE else torch.empty(p.shape, dtype=self.LOGITS, device=p.device))
    by_logits = by_logits.scatter_(1, target, own.to(self.LOGITS))
    grads.append(self.grad_input(by_logits, w).to(self.WIDE))
    for g in w_grad:
      self.add_grad_weight(g, by_logits, r)
  return torch.cat(grads)
