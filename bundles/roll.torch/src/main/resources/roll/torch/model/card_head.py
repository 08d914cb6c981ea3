# The token head (head.py) for cards: chunks have at least HEAD_ROWS rows, and two tensors of their logits' size at a time:
# the logits, which log-probs and then gradients replace, and the probabilities.

# The log-probs of the vocabulary for rows [n, C], in WIDE.
def row_log_probs(self, rows: Tensor, w: Tensor) -> Tensor:
  logits = self.scaled(self.logits(rows, w))
  logits = logits.sub_(torch.amax(logits, [-1], True))
  return logits.sub_(torch.log(torch.exp(logits).sum([-1], True)))

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
    p = torch.exp(log_p)
    found.append(p.mul_(log_p.sub_(self.row_log_probs(others[at:at + chunk], other_w))).sum([-1]))
  return torch.cat(found)

def head_backward(self, rows: Tensor, w: Tensor, w_grad: List[Tensor], targets: Tensor, entropies: Tensor, by_log_prob: Tensor, by_entropy: Tensor, kept: List[Tensor], chunk: int) -> Tensor:
  chunk = max(chunk, self.HEAD_ROWS)
  w = w.to(self.LOGITS)
  by_log_prob = self.unscaled(by_log_prob)
  by_entropy = self.unscaled(by_entropy)
  grads = annotate(List[Tensor], [])
  for at in range(0, rows.shape[0], chunk):
    r = rows[at:at + chunk].to(self.LOGITS)
    end = at + r.shape[0]
    d = self.row_log_probs(r, w) if len(kept) == 0 else kept[len(grads)]
    p = torch.exp(d)
    g_lp = by_log_prob[at:end].unsqueeze(1)
    g_h = by_entropy[at:end].unsqueeze(1)
    d = d.mul_(-g_h).sub_(g_lp + g_h * entropies[at:end].unsqueeze(1)).mul_(p)
    by_logits = d.scatter_add_(1, targets[at:end].unsqueeze(1), g_lp).to(self.LOGITS)
    grads.append(self.grad_input(by_logits, w).to(self.WIDE))
    for g in w_grad:
      self.add_grad_weight(g, by_logits, r)
  return torch.cat(grads)
