# What every strategy that generates needs of a decoder.

# The weights as generation reads them: in COMPUTE, the same tensors where they are so, and behind all of them the head's,
# also where it is tied, in LOGITS.
def generation_weights(self, w: List[Tensor]) -> List[Tensor]:
  cast = annotate(List[Tensor], [])
  for x in w[:2 + self.LAYERS * self.LAYER_SIZE]:
    cast.append(x.to(self.COMPUTE))
  cast.append(cast[0] if self.TIED_HEAD and self.LOGITS == self.COMPUTE else self.head_weight(w).to(self.LOGITS))
  return cast

# The same into `cast`, which has copies of them all.
def refresh_weights(self, w: List[Tensor], cast: List[Tensor]) -> List[Tensor]:
  last = len(cast) - 1
  for i in range(last):
    cast[i].copy_(w[i])
  cast[last].copy_(self.head_weight(w))
  return annotate(List[Tensor], [])

# The tensors w of a vision tower in COMPUTE, the same where they are so.
def tower_weights(self, w: List[Tensor]) -> List[Tensor]:
  cast = annotate(List[Tensor], [])
  for x in w:
    cast.append(x.to(self.COMPUTE))
  return cast

# The same into `cast`, which has copies of them all.
def refresh_tower(self, w: List[Tensor], cast: List[Tensor]) -> List[Tensor]:
  for i in range(len(cast)):
    cast[i].copy_(w[i])
  return annotate(List[Tensor], [])

# What the residual stream of tokens ids begins with. Those at `places` of the flattened ids show pictures: their hidden
# states are the rows of `shown`, one tensor behind the other.
def embedded_with(self, w: List[Tensor], ids: Tensor, places: Tensor, shown: List[Tensor]) -> Tensor:
  x = torch.embedding(w[0], ids).to(self.WIDE)
  if len(shown) > 0:
    x.view(-1, x.shape[x.dim() - 1]).index_copy_(0, places, torch.cat(shown).to(self.WIDE))
  return x

# Rows of x, which live on when x is freed.
def some_rows(self, x: Tensor, begin: int, end: int) -> Tensor:
  return x[begin:end]

# Attention of queries [n, t, HEADS, HEAD_SIZE] to keys and values [n, KV_HEADS, T, HEAD_SIZE]: causal among themselves,
# or to the cells that mask [n, 1, t, T] allows. The query heads that share a key head are told apart instead of copying
# keys: one call a head for causal ones, else as further queries.
def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor]) -> Tensor:
  n, t, H, D = q.shape
  groups = self.HEADS // self.KV_HEADS
  if groups == 1:
    o = torch.scaled_dot_product_attention(q.transpose(1, 2), k, v, mask, 0., mask is None)
    return o.transpose(1, 2).reshape(n, t, H * D)
  q = q.view(n, t, self.KV_HEADS, groups, D).permute(0, 2, 3, 1, 4)
  if mask is None:
    parts = annotate(List[Tensor], [])
    for g in range(groups):
      parts.append(torch.scaled_dot_product_attention(q[:, :, g], k, v, is_causal=True))
    o = torch.stack(parts, 2)
  else:
    o = torch.scaled_dot_product_attention(q.reshape(n, self.KV_HEADS, groups * t, D), k, v, mask)
    o = o.view(n, self.KV_HEADS, groups, t, D)
  return o.permute(0, 3, 1, 2, 4).reshape(n, t, H * D)

# Logits [rows, vocabulary] of x [rows, C] behind the last layer, with w as generation_weights gives them.
def last_logits(self, w: List[Tensor], x: Tensor) -> Tensor:
  n = len(w)
  return self.logits(self.rms_norm(x, w[n - 2]), w[n - 1])

# Log-prob [rows] of each row's token, as the head gives it when the token is scored. May overwrite the logits.
def token_log_probs(self, logits: Tensor, ids: Tensor) -> Tensor:
  return torch.gather(torch.log_softmax(self.scaled(logits), -1), 1, ids.unsqueeze(1)).squeeze(1)
