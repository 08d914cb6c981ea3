# The KV cache of a batch: [LAYERS, 2 (keys, values), rows, KV_HEADS, capacity, HEAD_SIZE] in COMPUTE. Slot t of a row
# is for its token at position t. Slots after a row's last token hold arbitrary finite numbers, which are masked.

# A new cache, with prefixes of older caches: four numbers of copies are the index in kept, its row, the new row, and the
# number of slots; every row has at least `least` of them.
def open_cache(self, rows: int, capacity: int, kept: List[Tensor], copies: List[int], least: int) -> Tensor:
  cache = torch.empty([self.LAYERS, 2, rows, self.KV_HEADS, capacity, self.HEAD_SIZE], dtype=self.COMPUTE, device=torch.device(self.DEVICE))
  cache[:, :, :, :, least:].zero_()
  for i in range(len(copies) // 4):
    copy = copies[4 * i:4 * i + 4]
    slots = copy[3]
    cache[:, :, copy[2], :, :slots] = kept[copy[0]][:, :, copy[1], :, :slots]
  return cache

# The cache of some rows, in their order; only the first `used` slots are copied.
def select_rows(self, cache: Tensor, rows: List[int], used: int) -> Tensor:
  L, two, B, H, T, D = cache.shape
  some = torch.empty([L, two, len(rows), H, T, D], dtype=self.COMPUTE, device=cache.device)
  some[:, :, :, :, used:].zero_()
  for i in range(len(rows)):
    some[:, :, i, :, :used] = cache[:, :, rows[i], :, :used]
  return some

# The rows of a rotary table for tokens at positions [n, t]. mrope: positions [3, n, t] in time, height and width, or
# offsets [n] of the positions of each row, or empty.
def rotary_rows(self, table: Tensor, positions: Tensor, mrope: Tensor) -> Tensor:
  n, t = positions.shape
  if mrope.dim() == 3:
    y = self.angles_at(table, mrope.flatten(1)).view(n, t, 1, self.HEAD_SIZE)
  elif mrope.shape[0] > 0:
    y = table[positions + mrope.unsqueeze(1)]
  else:
    y = table[positions]
  return y

# Runs new tokens ids [n, t] of the cache's rows begin … begin + n - 1, from positions past [n] on, and stores their keys
# and values. Shorter rows are right-padded. fresh: all of past is 0; otherwise width is the number of slots to read.
# places, features: see embedded_with; mrope: see rotary_rows. Returns the residual stream [n, t, C] after the last layer.
def extend(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, begin: int, ids: Tensor, past: Tensor, fresh: bool, width: int, mrope: Tensor, places: Tensor, features: List[Tensor]) -> Tensor:
  n, t = ids.shape
  end = begin + n
  capacity = cache.shape[4]
  # padding beyond the end goes to the last slot
  positions = (past.unsqueeze(1) + torch.arange(t, device=past.device)).clamp(0, capacity - 1)
  row = torch.arange(begin, end, device=past.device).view(n, 1, 1)
  heads = row * self.KV_HEADS + torch.arange(self.KV_HEADS, device=past.device).view(1, self.KV_HEADS, 1)
  slots = (heads * capacity + positions.view(n, 1, t)).flatten()
  c = self.rotary_rows(cos, positions, mrope)
  s = self.rotary_rows(sin, positions, mrope)
  mask = annotate(Optional[Tensor], None)
  if not fresh:
    groups = self.HEADS // self.KV_HEADS
    seen = (torch.arange(width, device=past.device) <= positions.unsqueeze(-1)).view(n, 1, 1, t, width)
    mask = seen.expand(n, 1, groups, t, width).reshape(n, 1, groups * t, width)
  shown = self.all_features(features, ids)
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
      torch.index_put_(keys.view(-1, self.HEAD_SIZE), [slots], k.view(-1, self.HEAD_SIZE))
      torch.index_put_(values.view(-1, self.HEAD_SIZE), [slots], v.view(-1, self.HEAD_SIZE))
      k = keys[begin:end, :, :width]
      v = values[begin:end, :, :width]
    x = self.deepened(self.after_attention(x, self.attend(q, k, v, mask), u), i, places, shown)
  return x
