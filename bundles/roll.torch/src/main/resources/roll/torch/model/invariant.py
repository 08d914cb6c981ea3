# Forward passes whose numbers are the same bits whatever else is computed with them (batch_invariant), for INVARIANT.
# Products of few rows order their sums differently from others, so rows are padded to multiples of ROWS; attention, whose
# sums are over any number of keys, is computed by products of TILE queries and KEYS keys, added in order. What is missing
# is padded with zeros, and adding zeros is exact.

# x [.., n, C] with n rounded up to a multiple of `size`.
def filled(self, x: Tensor, size: int) -> Tensor:
  n = x.shape[x.dim() - 2]
  more = (n + size - 1) // size * size - n
  return torch.constant_pad_nd(x, [0, 0, 0, more], 0) if more > 0 else x

# x [.., in] -> x w' + b, with w [out, in] and b [out] or none.
def invariant_product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  rows = x.reshape(-1, w.shape[1])
  n = rows.shape[0]
  return torch.linear(self.filled(rows, self.ROWS), w, b)[:n].view(x.shape[:-1] + [w.shape[0]])

# SiLU.
def invariant_silu(self, x: Tensor) -> Tensor:
  wide = x.to(self.WIDE)
  return self.invariant_gate(wide, wide).to(x.dtype)

# x sigmoid(z), both in WIDE. The fused operators compute the last numbers of a tensor with another exponential function.
# The bound changes no result, and keeps the gradient finite.
def invariant_gate(self, x: Tensor, z: Tensor) -> Tensor:
  return x / (torch.exp(torch.clamp(-z, None, 80.)) + 1)

# Attention [n, KV_HEADS, r, HEAD_SIZE] of queries q to keys and values [n, KV_HEADS, T, HEAD_SIZE]; mask [n or 1, 1, r, T]
# is 0 or minus infinity, and 0 somewhere in each row. All in WIDE.
def tiled_attention(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
  n, H, r, D = q.shape
  q = self.filled(q.to(self.WIDE), self.TILE)
  k = self.filled(k.to(self.WIDE), self.KEYS)
  v = self.filled(v.to(self.WIDE), self.KEYS)
  tiles = q.shape[2] // self.TILE
  blocks = k.shape[2] // self.KEYS
  mask = torch.constant_pad_nd(mask, [0, k.shape[2] - mask.shape[3]], -inf)
  mask = self.filled(mask, self.TILE).view(mask.shape[0], 1, tiles, self.TILE, blocks, self.KEYS).transpose(3, 4)
  asked = q.view(n, H, tiles, 1, self.TILE, D).expand(n, H, tiles, blocks, self.TILE, D).reshape(-1, self.TILE, D)
  keys = k.reshape(n, H, 1, blocks, self.KEYS, D).expand(n, H, tiles, blocks, self.KEYS, D).reshape(-1, self.KEYS, D)
  values = v.reshape(n, H, 1, blocks, self.KEYS, D).expand(n, H, tiles, blocks, self.KEYS, D).reshape(-1, self.KEYS, D)
  s = torch.bmm(asked, keys.transpose(1, 2)).view(n, H, tiles, blocks, self.TILE, self.KEYS)
  s = s * (1. / D ** 0.5) + mask
  p = torch.exp(s - torch.amax(s.detach(), [3, 5], True))
  sums = p.sum([5], True)
  parts = torch.bmm(p.view(-1, self.TILE, self.KEYS), values).view(n, H, tiles, blocks, self.TILE, D)
  o = parts[:, :, :, 0]
  total = sums[:, :, :, 0]
  for i in range(1, blocks):
    o = o + parts[:, :, :, i]
    total = total + sums[:, :, :, i]
  return (o / total).view(n, H, tiles * self.TILE, D)[:, :, :r]

# Attention [B, n, HEADS * HEAD_SIZE] of queries q [B, n, HEADS, HEAD_SIZE] to the keys [B, m, KV_HEADS, HEAD_SIZE] up to
# each, of which the queries' own are the last n.
def invariant_attention(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
  B, n, H, D = q.shape
  groups = H // self.KV_HEADS
  offset = k.shape[1] - n
  k = k.transpose(1, 2)
  v = v.transpose(1, 2)
  parts = annotate(List[Tensor], [])
  for first in range(0, n, 128):
    t = min(n - first, 128)
    before = offset + first
    asked = q[:, first:first + t].reshape(B, t, self.KV_HEADS, groups, D).transpose(1, 2).reshape(B, self.KV_HEADS, t * groups, D)
    mask = self.causal_mask(t, before).to(self.WIDE).unsqueeze(1).expand(t, groups, before + t).reshape(1, 1, t * groups, before + t)
    o = self.tiled_attention(asked, k[:, :, :before + t], v[:, :, :before + t], mask)
    parts.append(o.reshape(B, self.KV_HEADS, t, groups, D).transpose(1, 2).reshape(B, t, H * D))
  o = parts[0] if len(parts) == 1 else torch.cat(parts, 1)
  return o.to(q.dtype)
