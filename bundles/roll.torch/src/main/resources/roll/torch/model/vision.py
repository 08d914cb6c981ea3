# A vision tower: a patch embedding; layers of attention with rotary positions in two dimensions, and of a feed-forward
# layer; a merger that maps each square of patches to a row of the decoder's residual stream. vision_gated.py and
# vision_deep.py have the parts that differ. Stream, norms and rotations are in WIDE, linear layers and attention in
# COMPUTE, as in decoder.py.
# Constants: TOWER_LAYERS, TOWER_HEADS, SQUARE, the patches of a square; TOWER_FIRST, the number of tensors of the patch
# embedding; KINDS, a letter for each layer: w attends within windows, f and d within the whole picture, and the output of d
# goes to a merger of its own; WIDE, COMPUTE.
# Tensors w: those of the patch embedding, 12 of each layer, and those of the mergers.

# x [..., in] in COMPUTE by the weight at index `at` in w and the bias after it.
def tower_linear(self, x: Tensor, w: List[Tensor], at: int) -> Tensor:
  return self.product(x, w[at].to(self.COMPUTE), w[at + 1].to(self.COMPUTE))

# Rotates the halves of each head against each other, in WIDE. x [P, heads, size]; cos, sin [P, 1, size / 2]. Separate
# halves are twice as fast as rolling whole heads in bf16.
def tower_rotary(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
  half = x.shape[-1] // 2
  parts = torch.split_with_sizes(x.to(self.WIDE), [half, half], -1)
  first = torch.addcmul(parts[0] * cos, parts[1], sin, value=-1)
  last = torch.addcmul(parts[1] * cos, parts[0], sin)
  return torch.cat([first, last], -1).to(self.COMPUTE)

# Attention within each run of patches; `runs` alternates a count and a length. q, k, v [P, heads, size] ->
# [P, heads * size].
def attention_in_runs(self, q: Tensor, k: Tensor, v: Tensor, runs: List[int]) -> Tensor:
  parts = annotate(List[Tensor], [])
  at = 0
  for i in range(0, len(runs), 2):
    shape = [runs[i], runs[i + 1], q.shape[1], q.shape[2]]
    end = at + runs[i] * runs[i + 1]
    o = torch.scaled_dot_product_attention(q[at:end].view(shape).transpose(1, 2), k[at:end].view(shape).transpose(1, 2), v[at:end].view(shape).transpose(1, 2))
    parts.append(o.transpose(1, 2).reshape(end - at, q.shape[1] * q.shape[2]))
    at = end
  return torch.cat(parts)

# Attention of a layer to the normed stream h [P, C] in COMPUTE, with weight and bias of qkv and then of proj at index `at` of
# its tensors w.
def tower_attention(self, h: Tensor, runs: List[int], w: List[Tensor], at: int, cos: Tensor, sin: Tensor) -> Tensor:
  qkv = self.tower_linear(h, w, at).view(h.shape[0], 3, self.TOWER_HEADS, -1)
  q = self.tower_rotary(torch.select(qkv, 1, 0), cos, sin)
  k = self.tower_rotary(torch.select(qkv, 1, 1), cos, sin)
  return self.tower_linear(self.attention_in_runs(q, k, torch.select(qkv, 1, 2), runs), w, at + 2)

# Piece i of the tower: the patch embedding, each layer, the mergers.
def tower_piece(self, i: int, x: Tensor, squares: Tensor, back: Tensor, windows: List[int], wholes: List[int], cos: Tensor, sin: Tensor, corners: Tensor, shares: Tensor, w: List[Tensor]) -> Tensor:
  if i == 0:
    y = self.patch_embedding(x, squares, corners, shares, w)
  elif i <= self.TOWER_LAYERS:
    kinds = self.KINDS
    y = self.tower_layer(x, windows if kinds[i - 1] == "w" else wholes, kinds[i - 1] == "d", cos, sin, w)
  else:
    y = torch.index_select(self.merger(x, w), 0, back).to(self.WIDE)
  return y

# The tensors of piece i.
def tower_weights(self, w: List[Tensor], i: int) -> List[Tensor]:
  first = self.TOWER_FIRST + 12 * (i - 1)
  if i == 0:
    u = w[:self.TOWER_FIRST]
  elif i <= self.TOWER_LAYERS:
    u = w[first:first + 12]
  else:
    u = w[first:]
  return u

# Patches [P, n] of pictures -> features [M, vectors * hidden size of the decoder]. squares [P / SQUARE]: the order of
# computation; back [M]: the places of the wanted squares in it; windows and wholes: runs of patches; corners and shares
# [4, P]: see vision_deep.py.
def features(self, patches: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, corners: Tensor, shares: Tensor, w: List[Tensor]) -> Tensor:
  narrow = annotate(List[int], windows.tolist())
  wide = annotate(List[int], wholes.tolist())
  x = patches
  for i in range(self.TOWER_LAYERS + 2):
    x = self.tower_piece(i, x, squares, back, narrow, wide, cos, sin, corners, shares, self.tower_weights(w, i))
  return x
