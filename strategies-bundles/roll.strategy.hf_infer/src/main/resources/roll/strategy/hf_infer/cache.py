# The KV cache of a batch: [LAYERS, 2 (keys, values), rows, KV_HEADS, capacity, HEAD_SIZE] in COMPUTE. Cell t of a row
# belongs to its token at position t. Cells behind a row's last token hold anything finite: masked, they add nothing.

# A new cache. Four numbers of copies say what it holds: of which of kept which row, in which row, its first so many cells;
# no row holds fewer than `least`.
def open_cache(self, rows: int, capacity: int, kept: List[Tensor], copies: List[int], least: int) -> Tensor:
  cache = torch.empty([self.LAYERS, 2, rows, self.KV_HEADS, capacity, self.HEAD_SIZE], dtype=self.COMPUTE, device=torch.device(self.DEVICE))
  cache[:, :, :, :, least:].zero_()
  for i in range(len(copies) // 4):
    copy = copies[4 * i:4 * i + 4]
    cells = copy[3]
    cache[:, :, copy[2], :, :cells] = kept[copy[0]][:, :, copy[1], :, :cells]
  return cache

# The cache of some rows, in their order; only the first `used` cells matter.
def select_rows(self, cache: Tensor, rows: List[int], used: int) -> Tensor:
  L, two, B, H, T, D = cache.shape
  some = torch.empty([L, two, len(rows), H, T, D], dtype=self.COMPUTE, device=cache.device)
  some[:, :, :, :, used:].zero_()
  for i in range(len(rows)):
    some[:, :, i, :, :used] = cache[:, :, rows[i], :, :used]
  return some

# The rows of a table of angles for tokens at positions [n, t]: `turns` [3, n, t] are those in time, height and width, turns
# [n] what is added to the positions of each row, and without any they are turned as they stand.
def turned(self, table: Tensor, positions: Tensor, turns: Tensor) -> Tensor:
  n, t = positions.shape
  if turns.dim() == 3:
    y = self.angles_at(table, turns.flatten(1)).view(n, t, 1, self.HEAD_SIZE)
  elif turns.shape[0] > 0:
    y = table[positions + turns.unsqueeze(1)]
  else:
    y = table[positions]
  return y

# Runs new tokens ids [n, t] of the cache's rows begin … begin + n - 1 at positions past [n] and on, and keeps their keys
# and values. Shorter rows are padded on the right. fresh says that all of past is 0; else width is the cells to look at.
# `places` and `shown` are as `embedded_with` takes them, turns as `turned` does.
# Gives the residual stream [n, t, C] behind the last layer.
def extend(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, begin: int, ids: Tensor, past: Tensor, fresh: bool, width: int, turns: Tensor, places: Tensor, shown: List[Tensor]) -> Tensor:
  n, t = ids.shape
  end = begin + n
  capacity = cache.shape[4]
  # padding that would run over the end goes to the last cell
  positions = (past.unsqueeze(1) + torch.arange(t, device=past.device)).clamp(0, capacity - 1)
  row = torch.arange(begin, end, device=past.device).view(n, 1, 1)
  heads = row * self.KV_HEADS + torch.arange(self.KV_HEADS, device=past.device).view(1, self.KV_HEADS, 1)
  cells = (heads * capacity + positions.view(n, 1, t)).flatten()
  c = self.turned(cos, positions, turns)
  s = self.turned(sin, positions, turns)
  mask = annotate(Optional[Tensor], None)
  if not fresh:
    groups = self.HEADS // self.KV_HEADS
    seen = (torch.arange(width, device=past.device) <= positions.unsqueeze(-1)).view(n, 1, 1, t, width)
    mask = seen.expand(n, 1, groups, t, width).reshape(n, 1, groups * t, width)
  x = self.embedded_with(w, ids, places, shown)
  for i in range(self.LAYERS):
    u = self.layer_weights(w, i)
    q, k, v = self.qkv(x, u, c, s)
    k = k.transpose(1, 2).contiguous()
    v = v.transpose(1, 2).contiguous()
    keys = cache[i, 0]
    values = cache[i, 1]
    if fresh:
      keys[begin:end, :, :t] = k
      values[begin:end, :, :t] = v
    else:
      torch.index_put_(keys.view(-1, self.HEAD_SIZE), [cells], k.view(-1, self.HEAD_SIZE))
      torch.index_put_(values.view(-1, self.HEAD_SIZE), [cells], v.view(-1, self.HEAD_SIZE))
      k = keys[begin:end, :, :width]
      v = values[begin:end, :, :width]
    x = self.after_attention(x, self.attend(q, k, v, mask), u)
  return x
