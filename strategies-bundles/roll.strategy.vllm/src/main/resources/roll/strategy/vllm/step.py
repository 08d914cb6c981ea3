# One step of the engine: some tokens of many sequences, one behind the other, through all layers; then the next token of
# those that want one. The KV cache is [LAYERS, 2 (keys, values), blocks, BLOCK, KV_HEADS, HEAD_SIZE] in CACHE.
#
# The plan (Packing.java) is one int64 tensor: HEADER numbers, five numbers a group, and then
#   ids, positions, cells [N]: the tokens, their positions, and where in the cache their keys and values go;
#   rows [R]: behind which tokens one is drawn;
#   from, to [C]: blocks to be copied before anything else;
#   of each group: the blocks [n * W] of its sequences, unless it is fresh, and if t > 1 which tokens are its queries
#   [n * t], padded, and which of those are not padding [the group's tokens].
# A group is n sequences with at most t new tokens each that begin with token `first` and read W blocks each; fresh ones
# have nothing in the cache yet.

# The cache, all zero as far as it was ever written: numbers that are masked must be finite.
def open_cache(self, blocks: int) -> Tensor:
  return torch.empty([self.LAYERS, 2, blocks, self.BLOCK, self.KV_HEADS, self.HEAD_SIZE], dtype=self.CACHE)

def clear_blocks(self, cache: Tensor, begin: int, end: int) -> Tensor:
  return cache[:, :, begin:end].zero_()

# Keys or values of n sequences [n, KV_HEADS, T, HEAD_SIZE] out of the blocks `table` of one layer's.
def read_blocks(self, layer: Tensor, table: Tensor, n: int) -> Tensor:
  cells = layer.view(layer.shape[0], -1).index_select(0, table)
  return cells.view(n, -1, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2).to(self.COMPUTE)

# Which cells [n, 1, groups * t, W * BLOCK] queries at `positions` [n * t] may see: 0 or minus infinity.
def cell_mask(self, positions: Tensor, n: int, t: int, W: int) -> Tensor:
  T = W * self.BLOCK
  hidden = (torch.arange(T) > positions.unsqueeze(1)).view(n, 1, 1, t, T)
  mask = torch.zeros([n, 1, 1, t, T], dtype=self.COMPUTE).masked_fill_(hidden, -inf)
  groups = self.HEADS // self.KV_HEADS
  return mask.view(n, 1, 1, T) if t == 1 else mask.expand(n, 1, groups, t, T).reshape(n, 1, groups * t, T)

# Attention [N, HEADS * HEAD_SIZE] of the queries [N, HEADS, HEAD_SIZE], group by group.
def attend_groups(self, q: Tensor, k: Tensor, v: Tensor, layer: Tensor, groups: List[int], tables: List[Tensor], queries: List[Tensor], real: List[Tensor], masks: List[Tensor]) -> Tensor:
  done = annotate(List[Tensor], [])
  for g in range(len(tables)):
    n, t, first = groups[5 * g], groups[5 * g + 1], groups[5 * g + 3]
    if groups[5 * g + 4] == 1:
      at = queries[g]
      keys = k.index_select(0, at).view(n, t, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2)
      values = v.index_select(0, at).view(n, t, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2)
      mask = annotate(Optional[Tensor], None)
    else:
      keys = self.read_blocks(layer[0], tables[g], n)
      values = self.read_blocks(layer[1], tables[g], n)
      mask = masks[g]
    if t == 1:
      done.append(self.attend(q[first:first + n].unsqueeze(1), keys, values, mask).squeeze(1))
    else:
      asked = q.index_select(0, queries[g]).view(n, t, self.HEADS, self.HEAD_SIZE)
      done.append(self.attend(asked, keys, values, mask).flatten(0, 1).index_select(0, real[g]))
  return done[0] if len(done) == 1 else torch.cat(done)

# Gives [3, R] doubles: the drawn tokens, their log-probs at temperature 1, and those in the distribution drawn from.
def step(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, plan: Tensor, uniforms: Tensor, s: List[Tensor]) -> Tensor:
  N, R, C, G = annotate(List[int], plan[:4].tolist())
  groups = annotate(List[int], plan[4:4 + 5 * G].tolist())
  at = 4 + 5 * G
  ids, positions, cells = plan[at:at + 3 * N].view(3, N).unbind(0)
  at += 3 * N
  rows = plan[at:at + R]
  at += R
  if C > 0:
    cache.index_copy_(2, plan[at + C:at + 2 * C], cache.index_select(2, plan[at:at + C]))
  at += 2 * C
  tables = annotate(List[Tensor], [])
  queries = annotate(List[Tensor], [])
  real = annotate(List[Tensor], [])
  masks = annotate(List[Tensor], [])
  nothing = plan[:0]
  for g in range(G):
    n, t, W, first, fresh = groups[5 * g:5 * g + 5]
    table = nothing
    if fresh == 0:
      table = plan[at:at + n * W]
      at += n * W
    tables.append(table)
    end = groups[5 * g + 8] if g + 1 < G else N
    asked = nothing
    back = nothing
    if t > 1:
      asked = plan[at:at + n * t]
      back = plan[at + n * t:at + n * t + end - first]
      at += n * t + end - first
    queries.append(asked)
    real.append(back)
    where = positions[first:first + n] if t == 1 else positions.index_select(0, asked)
    masks.append(nothing if fresh == 1 else self.cell_mask(where, n, t, W))
  c = cos.index_select(0, positions)
  z = sin.index_select(0, positions)
  x = torch.embedding(w[0], ids).to(self.WIDE).unsqueeze(0)
  for i in range(self.LAYERS):
    u = self.layer_weights(w, i)
    q, k, v = self.qkv(x, u, c, z)
    q = q.squeeze(0).contiguous()
    k = k.squeeze(0).contiguous()
    v = v.squeeze(0).contiguous()
    layer = cache[i]
    layer[0].view(-1, self.KV_HEADS, self.HEAD_SIZE).index_copy_(0, cells, k.to(self.CACHE))
    layer[1].view(-1, self.KV_HEADS, self.HEAD_SIZE).index_copy_(0, cells, v.to(self.CACHE))
    o = self.attend_groups(q, k, v, layer, groups, tables, queries, real, masks)
    x = self.after_attention(x, o.unsqueeze(0), u)
  logits = self.last_logits(w, x.squeeze(0).index_select(0, rows))
  drawn, log_probs = self.choose(logits, uniforms, self.seen(s, logits.shape[1]), s, 0)
  return torch.stack([drawn.to(7), self.token_log_probs(logits, drawn).to(7), log_probs.to(7)])
