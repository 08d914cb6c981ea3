# How a step reads and writes the cache by libtorch's dense kernels. Tables of rows are [LAYERS, 2, rows, KV_HEADS, tokens,
# HEAD_SIZE].

# A table of rows; masked numbers must be finite.
def open_rows(self, rows: int, tokens: int) -> Tensor:
  return torch.zeros([self.LAYERS, 2, rows, self.KV_HEADS, tokens, self.HEAD_SIZE], dtype=self.COMPUTE, device=torch.device(self.DEVICE))

# Writes the first tokens of a row, keys and values [LAYERS, 2, tokens, KV_HEADS, HEAD_SIZE].
def fill_row(self, table: Tensor, row: int, numbers: Tensor) -> Tensor:
  return table[:, :, row, :, :numbers.shape[2]].copy_(numbers.transpose(2, 3))

# The first n rows of a table: both keys and values of each layer, for write_rows, and those of layer i at 2 * i and
# 2 * i + 1, for attend_rows, which reads `width` tokens.
def row_layers(self, table: Tensor, n: int, width: int) -> Tuple[List[Tensor], List[Tensor]]:
  return (table.view(self.LAYERS, 2, -1, self.HEAD_SIZE).unbind(0), table[:, :, :n, :, :width].flatten(0, 1).unbind(0))

# What a step knows of the first n rows of a table, whose new tokens are at `positions` [n]: where they are written, and the
# mask. starts: empty.
def row_index(self, table: Tensor, positions: Tensor, starts: Tensor, width: int) -> List[Tensor]:
  n = positions.shape[0]
  heads = torch.arange(n * self.KV_HEADS, device=positions.device).view(n, self.KV_HEADS) * table.shape[4]
  return [(heads + positions.unsqueeze(1)).flatten(), self.slot_mask(positions, n, 1, width)]

# Writes keys and values [2, n, KV_HEADS, HEAD_SIZE] of a layer.
def write_rows(self, layer: Tensor, numbers: Tensor, index: List[Tensor]) -> Tensor:
  return self.put(layer, index[0], numbers.flatten(1, 2))

# Writes numbers [m, n, ..] to the places index [n] of `to` [m, any, ..].
def put(self, to: Tensor, index: Tensor, numbers: Tensor) -> Tensor:
  return to.index_copy_(1, index, numbers)

# Keys and values [LAYERS, 2, 1, KV_HEADS, tokens, HEAD_SIZE] of the blocks of a prefix.
def read_prefix(self, cache: Tensor, blocks: Tensor) -> Tensor:
  held = cache.index_select(2, blocks).flatten(2, 3)
  return held.transpose(2, 3).unsqueeze(2).to(self.COMPUTE).contiguous()

# Attention [n, HEADS * HEAD_SIZE] of queries [n, HEADS, HEAD_SIZE] to their rows, and to the keys and values of a prefix, if
# there is one: that of all queries is one product.
def attend_rows(self, q: Tensor, k: Tensor, v: Tensor, index: List[Tensor], width: int, prefix: List[Tensor]) -> Tensor:
  n = q.shape[0]
  if self.INVARIANT:
    o = self.attend_invariant(q.unsqueeze(1), k, v, index[1])
  elif len(prefix) > 0:
    asked = q.view(n, self.KV_HEADS, -1, self.HEAD_SIZE)
    own, own_lse = torch._scaled_dot_product_flash_attention_for_cpu(asked, k, v, attn_mask=index[1])
    all = asked.transpose(0, 1).flatten(1, 2).unsqueeze(0)
    shared, shared_lse = torch._scaled_dot_product_flash_attention_for_cpu(all, prefix[0], prefix[1])
    shared = shared.view(self.KV_HEADS, n, -1, self.HEAD_SIZE).transpose(0, 1)
    shared_lse = shared_lse.view(self.KV_HEADS, n, -1).transpose(0, 1)
    o = torch.lerp(own, shared, torch.sigmoid(shared_lse - own_lse).unsqueeze(-1).to(own.dtype))
  else:
    o = torch.scaled_dot_product_attention(q.view(n, self.KV_HEADS, -1, self.HEAD_SIZE), k, v, index[1])
  return o.reshape(n, -1)

# Keys or values of n sequences [n, KV_HEADS, T, HEAD_SIZE], gathered from the blocks `table` of a layer.
def read_blocks(self, layer: Tensor, table: Tensor, n: int) -> Tensor:
  slots = layer.view(layer.shape[0], -1).index_select(0, table)
  return slots.view(n, -1, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2).to(self.COMPUTE)

# The causal mask [n, 1, groups * t, T] of T slots for queries at `positions` [n * t]: 0 or minus infinity.
def slot_mask(self, positions: Tensor, n: int, t: int, T: int) -> Tensor:
  hidden = (torch.arange(T, device=positions.device) > positions.unsqueeze(1)).view(n, 1, 1, t, T)
  mask = torch.zeros([n, 1, 1, t, T], dtype=self.COMPUTE, device=positions.device).masked_fill_(hidden, -inf)
  groups = self.HEADS // self.KV_HEADS
  return mask.view(n, 1, 1, T) if t == 1 else mask.expand(n, 1, groups, t, T).reshape(n, 1, groups * t, T)

# What a step knows of a group (step.py) whose tokens are at `positions`: the mask, unless the group is fresh.
def group_index(self, positions: Tensor, n: int, t: int, W: int, fresh: bool, queries: Tensor, real: Tensor) -> List[Tensor]:
  index = annotate(List[Tensor], [])
  if not fresh:
    where = positions if t == 1 else positions.index_select(0, queries)
    index.append(self.slot_mask(where, n, t, W * self.BLOCK))
  return index

# Attention [tokens, HEADS * HEAD_SIZE] of a group with queries q [tokens, HEADS, HEAD_SIZE], keys and values of the same
# tokens, and a layer [2, blocks, BLOCK, KV_HEADS, HEAD_SIZE] of the cache.
def attend_group(self, q: Tensor, k: Tensor, v: Tensor, layer: Tensor, table: Tensor, n: int, t: int, index: List[Tensor], queries: Tensor, real: Tensor) -> Tensor:
  padded = t > 1 and real.shape[0] < n * t
  asked = q.index_select(0, queries) if padded else q
  if len(index) == 0:
    keys = k.index_select(0, queries) if padded else k
    values = v.index_select(0, queries) if padded else v
    keys = keys.view(n, t, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2)
    values = values.view(n, t, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2)
    mask = annotate(Optional[Tensor], None)
  else:
    keys = self.read_blocks(layer[0], table, n)
    values = self.read_blocks(layer[1], table, n)
    mask = index[0]
  o = self.attend(asked.view(n, t, self.HEADS, self.HEAD_SIZE), keys, values, mask).flatten(0, 1)
  return o.index_select(0, real) if padded else o

# Whether enough sequences are finished for the step to end early.
def ends_early(self, done: Tensor) -> bool:
  return 8 * int(done.sum()) >= done.shape[0]

# The weights as a pass reads them.
def pass_weights(self, w: List[Tensor]) -> List[Tensor]:
  return w
