# Attention of a micro-batch by libtorch's dense kernels, segment by segment.

# Keys or values [B, T, KV_HEADS, HEAD_SIZE] -> [B, HEADS, T, HEAD_SIZE], repeated for every query head: on the CPU the
# fused kernel requires equal heads, and is twice as fast as enable_gqa.
def repeat_kv(self, x: Tensor) -> Tensor:
  B, T, H, D = x.shape
  if self.KV_HEADS != self.HEADS:
    x = x.unsqueeze(3).expand(B, T, H, self.HEADS // H, D).flatten(2, 3)
  return x.transpose(1, 2)

# Causal attention over right-padded sequences: tokens do not attend to the padding after them.
def attention(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
  if self.INVARIANT:
    return self.invariant_attention(q, k, v)
  o = torch.scaled_dot_product_attention(q.transpose(1, 2), self.repeat_kv(k), self.repeat_kv(v), is_causal=True)
  return o.transpose(1, 2).flatten(2, 3)

# The layout of a row of `segments`, or of `rows` samples of one length: that of segment_layout, and the mask of a block of
# queries over the longest path before it.
def layout(self, segments: Tensor, rows: int) -> Tuple[List[int], List[int], List[int], List[Tensor]]:
  lengths, parents, offsets = self.segment_layout(segments)
  queries = 0
  before = 0
  for i in range(len(lengths)):
    if parents[i] >= 0:
      queries = max(queries, min(lengths[i], 512))
      before = max(before, offsets[i] + (lengths[i] - 1) // 512 * 512)
  return (lengths, parents, offsets, [self.causal_mask(queries, before)])

# Attention of queries q [1, n, HEADS, HEAD_SIZE] to the keys k [1, m, HEADS, HEAD_SIZE] up to each, of which the queries'
# own are the last n. In blocks of 512 queries, so that little is computed above the diagonal.
def last_attention(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
  if self.INVARIANT:
    return self.invariant_attention(q, k, v)
  n = q.shape[1]
  offset = k.shape[1] - n
  before = mask.shape[1] - mask.shape[0]
  queries = q.transpose(1, 2)
  k = self.repeat_kv(k)
  v = self.repeat_kv(v)
  if n <= 512:
    o = torch.scaled_dot_product_attention(queries, k, v, mask[:n, before - offset:before + n])
  else:
    parts = annotate(List[Tensor], [])
    for first in range(0, n, 512):
      end = min(first + 512, n)
      seen = mask[:end - first, before - offset - first:before + end - first]
      parts.append(torch.scaled_dot_product_attention(queries[:, :, first:end], k[:, :, :offset + end], v[:, :, :offset + end], seen))
    o = torch.cat(parts, 2)
  return o.transpose(1, 2).flatten(2, 3)

# Causal attention within each segment of `layout`, and to all of its ancestors; with at most one segment, rows are samples,
# as in `attention`.
def packed_attention(self, q: Tensor, k: Tensor, v: Tensor, layout: Tuple[List[int], List[int], List[int], List[Tensor]]) -> Tensor:
  lengths, parents, offsets, masks = layout
  if len(lengths) <= 1:
    o = self.attention(q, k, v)
  else:
    qs = torch.split_with_sizes(q, lengths, 1)
    ks = torch.split_with_sizes(k, lengths, 1)
    vs = torch.split_with_sizes(v, lengths, 1)
    keys = annotate(List[Tensor], [])
    values = annotate(List[Tensor], [])
    parts = annotate(List[Tensor], [])
    for i in range(len(lengths)):
      p = parents[i]
      if p < 0:
        keys.append(ks[i])
        values.append(vs[i])
        parts.append(self.attention(qs[i], ks[i], vs[i]))
      else:
        keys.append(torch.cat([keys[p], ks[i]], 1))
        values.append(torch.cat([values[p], vs[i]], 1))
        parts.append(self.last_attention(qs[i], keys[i], values[i], masks[0]))
    o = torch.cat(parts, 1)
  return o
