# How a step reads and writes the cache by flash attention on a card: rows and slots are read where they lie, without a
# mask, and nothing waits for the card. Tables of rows are [LAYERS, 2, rows, tokens, KV_HEADS, HEAD_SIZE]. The functions are
# those of dense_reads.py.

def open_rows(self, rows: int, tokens: int) -> Tensor:
  return torch.zeros([self.LAYERS, 2, rows, tokens, self.KV_HEADS, self.HEAD_SIZE], dtype=self.COMPUTE, device=torch.device(self.DEVICE))

def fill_row(self, table: Tensor, row: int, numbers: Tensor) -> Tensor:
  return table[:, :, row, :numbers.shape[2]].copy_(numbers)

def row_layers(self, table: Tensor, n: int, width: int) -> Tuple[List[Tensor], List[Tensor]]:
  layers = table.view(self.LAYERS, 2, -1, self.KV_HEADS, self.HEAD_SIZE)
  return (layers.unbind(0), layers.flatten(0, 1).unbind(0))

# Where the new tokens are written; the first query and the first key of each row, and the keys it has. starts: the first
# key of each row, empty for those of rows of equal length.
def row_index(self, table: Tensor, positions: Tensor, starts: Tensor, width: int) -> List[Tensor]:
  n = positions.shape[0]
  queries = torch.arange(n + 1, device=positions.device)
  firsts = queries * table.shape[3]
  if starts.shape[0] > 0:
    firsts = torch.cat([starts, starts[:1]])
  return [firsts[:n] + positions, queries.to(3), firsts.to(3), (positions + 1).to(3)]

def write_rows(self, layer: Tensor, numbers: Tensor, index: List[Tensor]) -> Tensor:
  return self.put(layer, index[0], numbers)

# Without a check of the indices: deterministic algorithms would wait for the card to read them.
def put(self, to: Tensor, index: Tensor, numbers: Tensor) -> Tensor:
  return torch._index_put_impl_(to, annotate(List[Optional[Tensor]], [None, index]), numbers, False, True)

def attend_rows(self, q: Tensor, k: Tensor, v: Tensor, index: List[Tensor], width: int, prefix: List[Tensor]) -> Tensor:
  return self.flash(q, k, v, index[1], index[2], 1, width, index[3]).flatten(1, 2)

# The first query of each sequence; and unless the group is fresh, the first of its slots that are read, and the keys it has.
def group_index(self, positions: Tensor, n: int, t: int, W: int, fresh: bool, queries: Tensor, real: Tensor) -> List[Tensor]:
  starts = torch.arange(n + 1, device=positions.device)
  firsts = starts
  if t > 1:
    firsts = torch.searchsorted(real, starts * t)
  index = [firsts.to(3)]
  if not fresh:
    index.append((starts * (W * self.BLOCK)).to(3))
    index.append((positions.index_select(0, firsts[1:] - 1) + 1).to(3))
  return index

def attend_group(self, q: Tensor, k: Tensor, v: Tensor, layer: Tensor, table: Tensor, n: int, t: int, index: List[Tensor], queries: Tensor, real: Tensor) -> Tensor:
  if len(index) == 1:
    o = self.flash(q, k, v, index[0], index[0], t, t, None)
  else:
    slots = layer.view(2, layer.shape[1], -1).index_select(1, table).view(2, -1, self.KV_HEADS, self.HEAD_SIZE).to(self.COMPUTE)
    o = self.flash(q, slots[0], slots[1], index[0], index[1], t, slots.shape[1] // n, index[2])
  return o.flatten(1, 2)

# Steps do not end early, since that would wait for the card.
def ends_early(self, done: Tensor) -> bool:
  return False

# The weights with those of norms in WIDE: converted at once instead of one by one.
def pass_weights(self, w: List[Tensor]) -> List[Tensor]:
  places = annotate(List[int], [])
  for i in range(self.LAYERS):
    for at in [self.ATTENTION_NORM, self.MLP_NORM, self.Q_NORM, self.K_NORM]:
      if at >= 0:
        places.append(1 + i * self.LAYER_SIZE + at)
  places.append(1 + self.LAYERS * self.LAYER_SIZE)
  narrow = annotate(List[Tensor], [])
  for place in places:
    narrow.append(w[place])
  wide = torch.cat(narrow).to(self.WIDE)
  found = w[:len(w)]
  first = 0
  for place in places:
    found[place] = wide[first:first + w[place].shape[0]]
    first += w[place].shape[0]
  return found
