# A decoder-only transformer in the way of Qwen2 (Qwen2 Technical Report, 2024, section 2): pre-norm
# RMSNorm, grouped-query attention with rotary positions, SwiGLU. Residual stream, norms and
# rotations are f32; linear layers and attention compute in COMPUTE (6 = f32, 15 = bf16).
# Constants: LAYERS, HEADS, KV_HEADS, HEAD_SIZE, EPSILON, QKV_BIAS, TIED_HEAD, COMPUTE.

# RMSNorm (Zhang and Sennrich 2019, equation 4) of the last dimension, in f32.
def rms_norm(self, x: Tensor, w: Tensor) -> Tensor:
  norm = torch.linalg_vector_norm(x, 2, [-1], True)
  return x * torch.rsqrt(norm * norm / x.shape[-1] + self.EPSILON) * w

# x [..., in] in COMPUTE, w [out, in] -> [..., out] in COMPUTE.
def linear(self, x: Tensor, w: Tensor) -> Tensor:
  return torch.linear(x, w.to(self.COMPUTE))

def linear_bias(self, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
  return torch.linear(x, w.to(self.COMPUTE), b.to(self.COMPUTE))

# Rotates the halves of each head against each other, in f32. x [..., T, heads, HEAD_SIZE];
# cos, sin [..., T, 1, HEAD_SIZE], the first half of sin negated.
def rotary(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
  swapped = torch.roll(x, [self.HEAD_SIZE // 2], [-1])
  return torch.addcmul(x * cos, swapped, sin).to(self.COMPUTE)

# How many tensors a layer has.
def layer_size(self) -> int:
  return 12 if self.QKV_BIAS else 9

# Query, key and value projections of normed x [..., C], not yet split into heads.
def qkv(self, x: Tensor, w: List[Tensor]) -> Tuple[Tensor, Tensor, Tensor]:
  if self.QKV_BIAS:
    q = self.linear_bias(x, w[0], w[1])
    k = self.linear_bias(x, w[2], w[3])
    v = self.linear_bias(x, w[4], w[5])
  else:
    q = self.linear(x, w[0])
    k = self.linear(x, w[1])
    v = self.linear(x, w[2])
  return (q, k, v)

# Keys or values [B, T, KV_HEADS, HEAD_SIZE] -> [B, HEADS, T, HEAD_SIZE], one for every query head:
# with equal heads, attention takes its fused path, which is twice as fast as enable_gqa.
def repeat_kv(self, x: Tensor) -> Tensor:
  B, T, H, D = x.shape
  if self.KV_HEADS != self.HEADS:
    x = x.unsqueeze(3).expand(B, T, H, self.HEADS // H, D).flatten(2, 3)
  return x.transpose(1, 2)

# SwiGLU (Shazeer 2020, section 2) of normed x.
def mlp(self, x: Tensor, gate: Tensor, up: Tensor, down: Tensor) -> Tensor:
  return self.linear(torch.silu(self.linear(x, gate)) * self.linear(x, up), down)

# Causal attention over right-padded sequences: no token sees the padding behind it.
# x [B, T, C] normed, in COMPUTE.
def attention(self, x: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  B, T, C = x.shape
  q, k, v = self.qkv(x, w)
  q = self.rotary(q.view(B, T, self.HEADS, self.HEAD_SIZE), cos, sin).transpose(1, 2)
  k = self.rotary(k.view(B, T, self.KV_HEADS, self.HEAD_SIZE), cos, sin)
  v = v.view(B, T, self.KV_HEADS, self.HEAD_SIZE)
  o = torch.scaled_dot_product_attention(q, self.repeat_kv(k), self.repeat_kv(v), is_causal=True)
  return o.transpose(1, 2).reshape(B, T, self.HEADS * self.HEAD_SIZE)

# One layer on the residual stream x [B, T, C].
def layer(self, x: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  n = len(w)
  a = self.attention(self.rms_norm(x, w[n - 2]).to(self.COMPUTE), w, cos, sin)
  x = x + self.linear(a, w[n - 6])
  h = self.rms_norm(x, w[n - 1]).to(self.COMPUTE)
  return x + self.mlp(h, w[n - 5], w[n - 4], w[n - 3])

# tokens [B, T] -> hidden states [N, C] after the last norm, at rows [N] of the flattened [B * T].
def hidden(self, tokens: Tensor, rows: Tensor, w: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
  T = tokens.shape[1]
  x = torch.embedding(w[0], tokens)
  n = self.layer_size()
  for i in range(self.LAYERS):
    x = self.layer(x, w[1 + i * n:1 + (i + 1) * n], cos[:T], sin[:T])
  x = torch.index_select(x.flatten(0, 1), 0, rows)
  return self.rms_norm(x, w[1 + self.LAYERS * n])
