# The vision tower of Qwen2.5-VL (Bai et al. 2025, section 2.1.1): a patch embedding; layers of RMSNorm, attention with
# rotary positions in two dimensions, and SwiGLU with biases; a merger that maps each square of patches to a row of the
# decoder's residual stream. Stream, norms and rotations are in WIDE, linear layers and attention in COMPUTE, as in
# decoder.py. Patches are sorted by window, those of a square together.
# Constants: TOWER_LAYERS, TOWER_HEADS, SQUARE, the patches of a square; FULL_ATTENTION, a letter for each layer: f for
# attention within the whole picture, w within windows; WIDE, COMPUTE.
# Tensors w: the patch embedding, for each layer norm1, norm2, and weight and bias of qkv, proj, gate, up and down, then
# the merger's norm and two linear layers.

# RMSNorm of the last dimension, in WIDE, with the epsilon of all towers.
def tower_norm(self, x: Tensor, w: Tensor) -> Tensor:
  norm = torch.linalg_vector_norm(x, 2, [-1], True)
  return x * torch.rsqrt(norm * norm / x.shape[-1] + 1e-6) * w

# x [..., in] in COMPUTE by the weight at index `at` in w and the bias after it.
def tower_linear(self, x: Tensor, w: List[Tensor], at: int) -> Tensor:
  return self.product(x, w[at].to(self.COMPUTE), w[at + 1].to(self.COMPUTE))

# Patches [P, n] in the order of the image processor, squares [P / SQUARE] in the order of windows -> the stream [P, C].
def patch_embedding(self, patches: Tensor, squares: Tensor, w: Tensor) -> Tensor:
  P, n = patches.shape
  x = torch.index_select(patches.view(-1, self.SQUARE * n), 0, squares).view(P, n)
  return self.product(x.to(self.COMPUTE), w.flatten(1).to(self.COMPUTE), None).to(self.WIDE)

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

# A layer with tensors w on the stream x [P, C].
def tower_layer(self, x: Tensor, runs: List[int], w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  P, C = x.shape
  qkv = self.tower_linear(self.tower_norm(x, w[0]).to(self.COMPUTE), w, 2).view(P, 3, self.TOWER_HEADS, C // self.TOWER_HEADS)
  q = self.tower_rotary(torch.select(qkv, 1, 0), cos, sin)
  k = self.tower_rotary(torch.select(qkv, 1, 1), cos, sin)
  x = x + self.tower_linear(self.attention_in_runs(q, k, torch.select(qkv, 1, 2), runs), w, 4)
  h = self.tower_norm(x, w[1]).to(self.COMPUTE)
  return x + self.tower_linear(torch.silu(self.tower_linear(h, w, 6)) * self.tower_linear(h, w, 8), w, 10)

# The stream [P, C] -> a row of the decoder's stream for each square; `back` [M] selects the wanted rows.
def merger(self, x: Tensor, back: Tensor, w: List[Tensor]) -> Tensor:
  h = self.tower_norm(x, w[0]).to(self.COMPUTE).view(-1, self.SQUARE * x.shape[1])
  y = self.tower_linear(torch.gelu(self.tower_linear(h, w, 1)), w, 3)
  return torch.index_select(y, 0, back).to(self.WIDE)

# Piece i of the tower: the patch embedding, each layer, the merger.
def tower_piece(self, i: int, x: Tensor, squares: Tensor, back: Tensor, windows: List[int], wholes: List[int], w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  if i == 0:
    y = self.patch_embedding(x, squares, w[0])
  elif i <= self.TOWER_LAYERS:
    kinds = self.FULL_ATTENTION
    y = self.tower_layer(x, wholes if kinds[i - 1] == "f" else windows, w, cos, sin)
  else:
    y = self.merger(x, back, w)
  return y

# The tensors of piece i.
def tower_weights(self, w: List[Tensor], i: int) -> List[Tensor]:
  if i == 0:
    u = w[:1]
  elif i <= self.TOWER_LAYERS:
    u = w[12 * i - 11:12 * i + 1]
  else:
    u = w[12 * i - 11:]
  return u

# Patches [P, n] of pictures -> features [M, hidden size of the decoder].
def features(self, patches: Tensor, squares: Tensor, back: Tensor, windows: Tensor, wholes: Tensor, cos: Tensor, sin: Tensor, w: List[Tensor]) -> Tensor:
  narrow = annotate(List[int], windows.tolist())
  wide = annotate(List[int], wholes.tolist())
  x = patches
  for i in range(self.TOWER_LAYERS + 2):
    x = self.tower_piece(i, x, squares, back, narrow, wide, self.tower_weights(w, i), cos, sin)
  return x
