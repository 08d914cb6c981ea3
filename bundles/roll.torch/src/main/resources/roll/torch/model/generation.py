# Functions shared by the strategies that generate.

# The weights for generation: in COMPUTE, the same tensors if they have that format, followed by the head's, even if tied,
# in LOGITS, and by the joined tensors of the layers. The tensors `w` may be rows of `joined`.
def generation_weights(self, w: List[Tensor], joined: List[Tensor]) -> List[Tensor]:
  layers = w[:2 + self.LAYERS * self.LAYER_SIZE]
  both = self.rejoined(layers, joined)
  cast = annotate(List[Tensor], [])
  for x in layers:
    cast.append(x.to(self.COMPUTE))
  cast.append(cast[0] if self.TIED_HEAD and self.LOGITS == self.COMPUTE else self.head_weight(w).to(self.LOGITS))
  return cast + both

# Copies the same into `cast`.
def refresh_weights(self, w: List[Tensor], cast: List[Tensor]) -> List[Tensor]:
  last = 2 + self.LAYERS * self.LAYER_SIZE
  for i in range(last):
    cast[i].copy_(w[i])
  cast[last].copy_(self.head_weight(w))
  return annotate(List[Tensor], [])

# The tensors w of a vision tower in COMPUTE, the same tensors if they have that format.
def tower_weights(self, w: List[Tensor]) -> List[Tensor]:
  cast = annotate(List[Tensor], [])
  for x in w:
    cast.append(x.to(self.COMPUTE))
  return cast

# Copies the same into `cast`.
def refresh_tower(self, w: List[Tensor], cast: List[Tensor]) -> List[Tensor]:
  for i in range(len(cast)):
    cast[i].copy_(w[i])
  return annotate(List[Tensor], [])

# Rows of the features of pictures as one tensor; empty without pictures.
def all_features(self, features: List[Tensor], like: Tensor) -> Tensor:
  return torch.cat(features) if len(features) > 0 else torch.empty([0], dtype=self.WIDE, device=like.device)

# The input of the first layer for tokens ids. Those at `places` of the flattened ids are image placeholders: `features`
# replace their embeddings.
def embedded_with(self, w: List[Tensor], ids: Tensor, places: Tensor, features: Tensor) -> Tensor:
  x = self.embedding_scaled(torch.embedding(w[0], ids).to(self.WIDE))
  if features.numel() > 0:
    x.view(-1, x.shape[x.dim() - 1]).index_copy_(0, places, self.vector(features, 0, x))
  return x

# Rows of x, valid after x is freed.
def slice_rows(self, x: Tensor, begin: int, end: int) -> Tensor:
  return x[begin:end]

# Attention of queries [n, t, HEADS, HEAD_SIZE] to keys and values [n, KV_HEADS, T, HEAD_SIZE]: causal, or to the slots that
# mask [n, 1, t, T] allows. Keys are not copied for the query heads that share them: causal attention makes one call for
# each head of a group, masked attention appends them as further queries.
def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor]) -> Tensor:
  n, t, H, D = q.shape
  groups = self.HEADS // self.KV_HEADS
  if self.INVARIANT:
    return self.attend_invariant(q, k, v, mask)
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

# The same for INVARIANT.
def attend_invariant(self, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor]) -> Tensor:
  n, t, H, D = q.shape
  groups = self.HEADS // self.KV_HEADS
  if mask is None:
    return self.invariant_attention(q, k.transpose(1, 2), v.transpose(1, 2))
  asked = q.view(n, t, self.KV_HEADS, groups, D).permute(0, 2, 3, 1, 4).reshape(n, self.KV_HEADS, groups * t, D)
  if mask.dtype == 11:
    mask = torch.zeros(mask.shape, dtype=self.WIDE, device=q.device).masked_fill_(torch.logical_not(mask), -inf)
  o = self.tiled_attention(asked, k, v, mask.to(self.WIDE).expand(n, 1, groups * t, k.shape[2]))
  o = o.reshape(n, self.KV_HEADS, groups, t, D).permute(0, 3, 1, 2, 4)
  return o.reshape(n, t, H * D).to(q.dtype)

# Logits [rows, vocabulary] of x [rows, C] after the last layer, with w from generation_weights.
def last_logits(self, w: List[Tensor], x: Tensor) -> Tensor:
  last = 2 + self.LAYERS * self.LAYER_SIZE
  return self.logits(self.rms_norm(x, w[last - 1]), w[last])

# Log-prob [rows] of each row's token, the same as in scoring. May overwrite the logits.
def token_log_probs(self, logits: Tensor, ids: Tensor) -> Tensor:
  return torch.gather(torch.log_softmax(self.scaled(logits), -1), 1, ids.unsqueeze(1)).squeeze(1)
