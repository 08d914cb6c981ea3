# A tensor-parallel rank's share of a decoder, forward and backward (Shoeybi et al. 2019, section 3): some heads of every
# layer, some columns of its feed-forward layer, a shard of the vocabulary. Its output is a term of the residual stream's
# sum over the ranks. Each layer has two halves, 0 its attention and 1 its feed-forward layer, each followed by an
# all-reduce. Constants in addition to those of decoder.py, whose dimensions are the rank's: FIRST, whether this rank adds
# the terms that are added once (the residual stream, biases after a sum); SHARD_SIZE and SHARD_START, the number of
# tokens and the first token of its vocabulary shard.

# The rank's term of half i (0 or 1) of a layer with tensors w, for the residual stream x [B, T, C] in
# `segments`, in WIDE.
def half(self, i: int, x: Tensor, segments: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  if i == 0:
    T = x.shape[1]
    layout = self.layout(segments, x.shape[0])
    q, k, v = self.qkv(x, w, self.angles(cos, T, layout), self.angles(sin, T, layout))
    y = self.linear(self.packed_attention(q, k, v, layout), w, self.O, self.O_BIAS, self.O_A, -1)
  else:
    y = self.feed_forward(x, w)
  return x + y if self.FIRST else y.to(self.WIDE)

# The same; i is a tensor [], since recorded calls take tensors only.
def half_forward(self, i: Tensor, x: Tensor, segments: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  return self.half(int(i), x, segments, w, cos, sin).contiguous()

# The same, followed by the graph for half_backward; the tensors with 1 in `trains` are trained.
def half_tape(self, i: Tensor, x: Tensor, segments: Tensor, w: List[Tensor], trains: Tensor, cos: Tensor, sin: Tensor) -> List[Tensor]:
  x = x.detach().requires_grad_(True)
  which = annotate(List[int], trains.tolist())
  leaves = annotate(List[Tensor], [])
  read = annotate(List[Tensor], [])
  for k in range(len(w)):
    t = w[k].detach()
    if which[k] == 1:
      t = t.requires_grad_(True)
      leaves.append(t)
    read.append(t)
  y = self.half(int(i), x, segments, read, cos, sin)
  return [y.detach().contiguous(), y, x] + leaves

# The rank's term of the gradient of x, given that of the sum, the first of `grads`; adds those of the trained tensors to
# the rest of `grads`, one each. Optional tensors are the rest of a list, as recorded calls accept no empty lists.
def half_backward(self, grads: List[Tensor], tape: List[Tensor]) -> Tensor:
  found = torch.grad([tape[0]], tape[1:], annotate(List[Optional[Tensor]], [grads[0]]), None, False, True)
  for k in range(1, len(grads)):
    g = found[k]
    if g is not None:
      grads[k].add_(g)
  x = found[0]
  assert x is not None
  return x.contiguous()

# The rank's term of the embedding of tokens [B, T]: zeros for tokens of other shards, and the features of
# pictures at `places` [M] only from one rank.
def embed(self, tokens: Tensor, places: Tensor, features: Tensor, w: Tensor) -> Tensor:
  local = tokens - self.SHARD_START
  other = torch.logical_or(local < 0, local >= self.SHARD_SIZE)
  x = self.embedding_scaled(torch.embedding(w, local.masked_fill(other, 0)).to(self.WIDE))
  x = x.masked_fill(other.unsqueeze(-1), 0.)
  if places.numel() > 0:
    own = self.vector(features, 0, x)
    x = torch.index_copy(x.flatten(0, 1), 0, places, own if self.FIRST else torch.zeros_like(own)).view(x.shape)
  return x

# The residual stream after layer i [] with the features that DeepStack adds.
def deepen(self, i: Tensor, x: Tensor, places: Tensor, features: Tensor) -> Tensor:
  return self.deepened(x, int(i), places, features)

# The rows [M, C] at `places` of the residual stream x [B, T, C], or of its gradient.
def placed(self, x: Tensor, places: Tensor) -> Tensor:
  return torch.index_select(x.flatten(0, 1), 0, places)

# Adds the gradient of the embedding, given that of the residual stream, the first of `given`, to the second, if any;
# returns that of the features.
def embed_backward(self, tokens: Tensor, places: Tensor, given: List[Tensor]) -> Tensor:
  grads = given[0].flatten(0, 1)
  rows = self.embedding_scaled(self.zero_rows(grads, places))
  local = tokens.flatten() - self.SHARD_START
  own = torch.logical_and(local >= 0, local < self.SHARD_SIZE).nonzero().flatten()
  for g in given[1:]:
    if own.shape[0] > 0:
      self.add_rows(g, local[own], rows[own])
  return torch.index_select(grads, 0, places)

# The last norm of rows [N] of the flattened [B * T].
def last_norm(self, x: Tensor, rows: Tensor, w: Tensor) -> Tensor:
  return self.rms_norm(torch.index_select(x.flatten(0, 1), 0, rows), w)

# The gradient of x, given (a term of) that of the rows, the first of `grads`; adds that of the weight to the second, if any.
def last_norm_backward(self, x: Tensor, rows: Tensor, w: Tensor, grads: List[Tensor]) -> Tensor:
  x = x.detach().requires_grad_(True)
  w = w.detach().requires_grad_(True)
  found = torch.grad([self.last_norm(x, rows, w)], [x, w], annotate(List[Optional[Tensor]], [grads[0]]))
  g = found[1]
  assert g is not None
  for to in grads[1:]:
    to.add_(g)
  g = found[0]
  assert g is not None
  return g.contiguous()

# Statistics of this rank's vocabulary shard for rows [N, C] and targets [N], with l the logits: m = max l, the sums of
# exp(l - m) and of l exp(l - m), the target's logit or 0, and with `squares` the sum of exp(l - m)^2. [4, N] or [5, N].
def shard_statistics(self, rows: Tensor, w: Tensor, targets: Tensor, chunk: int, squares: bool) -> Tensor:
  w = w.to(self.LOGITS)
  parts = annotate(List[Tensor], [])
  for at in range(0, rows.shape[0], chunk):
    l = self.scaled(self.logits(rows[at:at + chunk], w))
    top = l.amax([-1])
    p = torch.exp(l - top.unsqueeze(1))
    local, other = self.own_targets(targets[at:at + chunk])
    target = torch.gather(l, 1, local.unsqueeze(1)).flatten().masked_fill(other, 0.)
    numbers = [top, p.sum([-1]), (p * l).sum([-1]), target]
    if squares:
      numbers.append((p * p).sum([-1]))
    parts.append(torch.stack(numbers))
  return torch.cat(parts, 1).contiguous()

# Targets as indices of this rank's shard, and which belong to other shards.
def own_targets(self, targets: Tensor) -> Tuple[Tensor, Tensor]:
  local = targets - self.SHARD_START
  other = torch.logical_or(local < 0, local >= self.SHARD_SIZE)
  return (local.masked_fill(other, 0), other)

# Log-probs [N], entropies [N] and log-sum-exps [N] from the statistics [ranks, 4, N] of all shards; with squares
# [ranks, 5, N] the sums [N] of squared probabilities before the last of them.
def combine_statistics(self, parts: Tensor) -> List[Tensor]:
  top = parts[:, 0].amax([0])
  scale = torch.exp(parts[:, 0] - top)
  total = (parts[:, 1] * scale).sum([0])
  log_sum = top + torch.log(total)
  entropies = log_sum - (parts[:, 2] * scale).sum([0]) / total
  columns = [parts[:, 3].sum([0]) - log_sum, entropies]
  if parts.shape[1] > 4:
    columns.append((parts[:, 4] * scale * scale).sum([0]) / (total * total))
  return columns + [log_sum]

# As head_backward (head.py) for this rank's shard: returns its term of the gradient of the rows.
def shard_backward(self, rows: Tensor, w: Tensor, w_grad: List[Tensor], targets: Tensor, entropies: Tensor, log_sum: Tensor, by_log_prob: Tensor, by_entropy: Tensor, chunk: int) -> Tensor:
  w = w.to(self.LOGITS)
  by_log_prob = self.unscaled(by_log_prob)
  by_entropy = self.unscaled(by_entropy)
  grads = annotate(List[Tensor], [])
  for at in range(0, rows.shape[0], chunk):
    r = rows[at:at + chunk].to(self.LOGITS)
    log_p = self.scaled(self.logits(r, w)) - log_sum[at:at + chunk].unsqueeze(1)
    g_lp = by_log_prob[at:at + chunk].unsqueeze(1)
    g_h = by_entropy[at:at + chunk].unsqueeze(1)
    h = entropies[at:at + chunk].unsqueeze(1)
    local, other = self.own_targets(targets[at:at + chunk])
    d = torch.addcmul(-(g_lp + g_h * h), log_p, g_h, value=-1).mul_(torch.exp(log_p))
    d = d.scatter_add_(1, local.unsqueeze(1), g_lp.masked_fill(other.unsqueeze(1), 0.)).to(self.LOGITS)
    grads.append(self.grad_input(d, w).to(self.WIDE))
    for g in w_grad:
      self.add_grad_weight(g, d, r)
  return torch.cat(grads)
