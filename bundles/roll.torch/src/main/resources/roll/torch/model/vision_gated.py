# The parts of Qwen2.5-VL's vision tower (Bai et al. 2025, section 2.1.1): RMSNorm, and SwiGLU with biases. Patches are
# sorted by window, those of a square together.
# Tensors w: the patch embedding; for each layer norm1, norm2, and weight and bias of qkv, proj, gate, up and down; then the
# merger's norm and two linear layers.

# RMSNorm of the last dimension, in WIDE, with the epsilon of all towers.
def tower_norm(self, x: Tensor, w: Tensor) -> Tensor:
  norm = torch.linalg_vector_norm(x, 2, [-1], True)
  return x * torch.rsqrt(norm * norm / x.shape[-1] + 1e-6) * w

# Patches [P, n] in the order of the image processor, squares [P / SQUARE] in the order of windows -> the stream [P, C].
def patch_embedding(self, patches: Tensor, squares: Tensor, corners: Tensor, shares: Tensor, w: List[Tensor]) -> Tensor:
  P, n = patches.shape
  x = torch.index_select(patches.view(-1, self.SQUARE * n), 0, squares).view(P, n)
  return self.product(x.to(self.COMPUTE), w[0].flatten(1).to(self.COMPUTE), None).to(self.WIDE)

# A layer with tensors w on the stream x [P, C].
def tower_layer(self, x: Tensor, runs: List[int], kept: bool, cos: Tensor, sin: Tensor, w: List[Tensor]) -> Tensor:
  x = x + self.tower_attention(self.tower_norm(x, w[0]).to(self.COMPUTE), runs, w, 2, cos, sin)
  h = self.tower_norm(x, w[1]).to(self.COMPUTE)
  return x + self.tower_linear(torch.silu(self.tower_linear(h, w, 6)) * self.tower_linear(h, w, 8), w, 10)

# The stream [P, C] -> a row of the decoder's stream for each square.
def merger(self, x: Tensor, w: List[Tensor]) -> Tensor:
  h = self.tower_norm(x, w[0]).to(self.COMPUTE).view(-1, self.SQUARE * x.shape[1])
  return self.tower_linear(torch.gelu(self.tower_linear(h, w, 1)), w, 3)
