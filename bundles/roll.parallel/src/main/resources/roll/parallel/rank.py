# A rank's part of a decoder, forward and backward. Tensor parallelism (Shoeybi et al. 2019, section 3) gives a rank some
# heads of every layer, some columns of its feed-forward layer and some words; what it computes of the residual stream is
# a part of a sum over the ranks. Each layer is cut in two halves, 0 its attention and 1 its feed-forward layer, behind
# each of which the ranks add up. Constants beyond those of decoder.py, whose dimensions are the rank's: FIRST, whether
# this rank adds what is added once (the residual stream, biases behind a sum), WORDS, how many words it has, and
# WORD, the first of them.

# The rank's part of half i (0 or 1) of a layer with tensors w of the residual stream x [B, T, C], whose samples end at
# `bounds`, in WIDE.
def half(self, i: int, x: Tensor, bounds: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  if i == 0:
    T = x.shape[1]
    lengths = self.lengths(bounds)
    q, k, v = self.qkv(x, w, self.angles(cos, T, lengths), self.angles(sin, T, lengths))
    y = self.linear(self.attention_within(q, k, v, lengths), w, self.O, self.O_BIAS, self.O_A, -1)
  else:
    y = self.feed_forward(x, w)
  return x + y if self.FIRST else y.to(self.WIDE)

# The same; half [] is a tensor, for what is recorded takes tensors alone.
def half_forward(self, i: Tensor, x: Tensor, bounds: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  return self.half(int(i), x, bounds, w, cos, sin).contiguous()

# The same with what half_backward needs of it behind the result; of the tensors those are trained where `trains` says 1.
def half_tape(self, i: Tensor, x: Tensor, bounds: Tensor, w: List[Tensor], trains: Tensor, cos: Tensor, sin: Tensor) -> List[Tensor]:
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
  y = self.half(int(i), x, bounds, read, cos, sin)
  return [y.detach().contiguous(), y, x] + leaves

# The rank's part of the gradient by x, given that by the sum, the first of `by`; adds those of the trained tensors to what
# stands behind it, one each. Where a tensor may be left out the rest of a list is: a list of its own could be empty, and
# what is recorded takes no empty ones.
def half_backward(self, by: List[Tensor], tape: List[Tensor]) -> Tensor:
  found = torch.grad([tape[0]], tape[1:], annotate(List[Optional[Tensor]], [by[0]]), None, False, True)
  for k in range(1, len(by)):
    g = found[k]
    if g is not None:
      by[k].add_(g)
  x = found[0]
  assert x is not None
  return x.contiguous()

# The rank's part of the residual stream of tokens [B, T]: zeros where a token is another rank's; features [M, C] of
# pictures at `places` [M], which only ranks have that have all words.
def embed(self, tokens: Tensor, places: Tensor, features: Tensor, w: Tensor) -> Tensor:
  here = tokens - self.WORD
  other = torch.logical_or(here < 0, here >= self.WORDS)
  x = torch.embedding(w, here.masked_fill(other, 0)).to(self.WIDE)
  x = x.masked_fill(other.unsqueeze(-1), 0.)
  if places.numel() > 0:
    x = torch.index_copy(x.flatten(0, 1), 0, places, features).view(x.shape)
  return x

# Adds the gradient of the embedding, given that by the residual stream, the first of `given`, to the second, if there is
# one; gives that by the features.
def embed_backward(self, tokens: Tensor, places: Tensor, given: List[Tensor]) -> Tensor:
  by = given[0].flatten(0, 1)
  words = self.without(by, places)
  here = tokens.flatten() - self.WORD
  mine = torch.logical_and(here >= 0, here < self.WORDS).nonzero().flatten()
  for g in given[1:]:
    if mine.shape[0] > 0:
      self.add_rows(g, here[mine], words[mine])
  return torch.index_select(by, 0, places)

# The last norm of rows [N] of the flattened [B * T].
def last_norm(self, x: Tensor, rows: Tensor, w: Tensor) -> Tensor:
  return self.rms_norm(torch.index_select(x.flatten(0, 1), 0, rows), w)

# The gradient by x, given (a part of) that by the rows, the first of `by`; adds that of the weight to the second, if any.
def last_norm_backward(self, x: Tensor, rows: Tensor, w: Tensor, by: List[Tensor]) -> Tensor:
  x = x.detach().requires_grad_(True)
  w = w.detach().requires_grad_(True)
  found = torch.grad([self.last_norm(x, rows, w)], [x, w], annotate(List[Optional[Tensor]], [by[0]]))
  g = found[1]
  assert g is not None
  for to in by[1:]:
    to.add_(g)
  g = found[0]
  assert g is not None
  return g.contiguous()

# What is known of the words of this rank, for rows [N, C] and targets [N]: the greatest logit, the sums over exp of the
# others less that and over the same times the logit, the target's logit or 0, and if `squares` the sum over the squares
# of the first terms. [4, N] or [5, N].
def words(self, rows: Tensor, w: Tensor, targets: Tensor, chunk: int, squares: bool) -> Tensor:
  w = w.to(self.LOGITS)
  parts = annotate(List[Tensor], [])
  for at in range(0, rows.shape[0], chunk):
    l = self.scaled(self.logits(rows[at:at + chunk], w))
    top = l.amax([-1])
    p = torch.exp(l - top.unsqueeze(1))
    here, other = self.own_targets(targets[at:at + chunk])
    target = torch.gather(l, 1, here.unsqueeze(1)).flatten().masked_fill(other, 0.)
    numbers = [top, p.sum([-1]), (p * l).sum([-1]), target]
    if squares:
      numbers.append((p * p).sum([-1]))
    parts.append(torch.stack(numbers))
  return torch.cat(parts, 1).contiguous()

# Targets as words of this rank, and which are another's.
def own_targets(self, targets: Tensor) -> Tuple[Tensor, Tensor]:
  here = targets - self.WORD
  other = torch.logical_or(here < 0, here >= self.WORDS)
  return (here.masked_fill(other, 0), other)

# Log-probs [N], entropies [N] and the logarithms [N] of the sums of all words, from the words [ranks, 4, N] of all; the
# sums [N] of squared probabilities before the last of them where the words have squares [ranks, 5, N].
def all_words(self, parts: Tensor) -> List[Tensor]:
  top = parts[:, 0].amax([0])
  scale = torch.exp(parts[:, 0] - top)
  total = (parts[:, 1] * scale).sum([0])
  log_sum = top + torch.log(total)
  entropies = log_sum - (parts[:, 2] * scale).sum([0]) / total
  columns = [parts[:, 3].sum([0]) - log_sum, entropies]
  if parts.shape[1] > 4:
    columns.append((parts[:, 4] * scale * scale).sum([0]) / (total * total))
  return columns + [log_sum]

# As head_backward (see head.py), of the words of this rank: its part of the gradient by the rows.
def words_backward(self, rows: Tensor, w: Tensor, w_grad: List[Tensor], targets: Tensor, entropies: Tensor, log_sum: Tensor, by_log_prob: Tensor, by_entropy: Tensor, chunk: int) -> Tensor:
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
    here, other = self.own_targets(targets[at:at + chunk])
    d = torch.addcmul(-(g_lp + g_h * h), log_p, g_h, value=-1).mul_(torch.exp(log_p))
    d = d.scatter_add_(1, here.unsqueeze(1), g_lp.masked_fill(other.unsqueeze(1), 0.)).to(self.LOGITS)
    grads.append(self.by_input(d, w).to(self.WIDE))
    for g in w_grad:
      self.add_by_weight(g, d, r)
  return torch.cat(grads)
