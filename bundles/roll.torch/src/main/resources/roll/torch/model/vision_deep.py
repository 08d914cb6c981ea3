# The parts of Qwen3-VL's vision tower (Qwen3-VL Technical Report, 2025, section 2): LayerNorm, GELU, learned positions
# beside the rotary ones, and a merger for some of the layers (DeepStack: Meng et al. 2024). Patches are in the order of the
# image processor. Behind the C columns of the stream are the outputs of the layers below that have a merger.
# Tensors w, weight and bias of each: the patch embedding, then the weight of the positions; for each layer norm1, norm2,
# qkv, proj, and two linear layers; for each merger its norm and two linear layers.

# LayerNorm in WIDE of the last dimension, with weight and bias at index `at` in w and the epsilon of all towers.
def tower_norm(self, x: Tensor, w: List[Tensor], at: int) -> Tensor:
  return torch.layer_norm(x, w[at].shape, w[at].to(self.WIDE), w[at + 1].to(self.WIDE), 1e-6)

# Patches [P, n] -> the stream [P, C]. The position of a patch is the sum of four learned ones, `corners` [4, P], times
# `shares` [4, P, 1]: bilinear interpolation.
def patch_embedding(self, patches: Tensor, squares: Tensor, corners: Tensor, shares: Tensor, w: List[Tensor]) -> Tensor:
  x = self.product(patches.to(self.COMPUTE), w[0].flatten(1).to(self.COMPUTE), w[1].to(self.COMPUTE)).to(self.WIDE)
  for i in range(4):
    x = torch.addcmul(x, torch.index_select(w[2], 0, corners[i]).to(self.WIDE), shares[i])
  return x

# GELU by tanh, as in decoder.py.
def tower_gelu(self, x: Tensor) -> Tensor:
  x = x.to(self.WIDE)
  return (x * torch.sigmoid((x * x * 0.044715 + 1.) * 1.5957691216057308 * x)).to(self.COMPUTE)

# A layer with tensors w on the stream x, whose output is kept for a merger if `kept`.
def tower_layer(self, x: Tensor, runs: List[int], kept: bool, cos: Tensor, sin: Tensor, w: List[Tensor]) -> Tensor:
  C = w[0].shape[0]
  y = x[:, :C]
  y = y + self.tower_attention(self.tower_norm(y, w, 0).to(self.COMPUTE), runs, w, 4, cos, sin)
  h = self.tower_linear(self.tower_norm(y, w, 2).to(self.COMPUTE), w, 8)
  y = y + self.tower_linear(self.tower_gelu(h), w, 10)
  parts = [y]
  if x.shape[1] > C:
    parts.append(x[:, C:])
  if kept:
    parts.append(y)
  return y if len(parts) == 1 else torch.cat(parts, 1)

# The stream -> for each square a row of the decoder's stream, and behind it one of every kept output. The first merger
# norms patches, the others squares.
def merger(self, x: Tensor, w: List[Tensor]) -> Tensor:
  C = w[0].shape[0]
  rows = annotate(List[Tensor], [])
  for i in range(x.shape[1] // C):
    norm = 6 * i
    h = self.tower_norm(x[:, i * C:(i + 1) * C].reshape(-1, w[norm].shape[0]), w, norm).to(self.COMPUTE)
    h = self.tower_linear(h.view(-1, self.SQUARE * C), w, norm + 2)
    rows.append(self.tower_linear(torch.gelu(h), w, norm + 4))
  return rows[0] if len(rows) == 1 else torch.cat(rows, 1)
