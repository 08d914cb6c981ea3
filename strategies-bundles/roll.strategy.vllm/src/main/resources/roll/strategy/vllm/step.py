# One step of the engine: some tokens of many sequences, one behind the other, through all layers; then the next token of
# those that want one. The KV cache is [LAYERS, 2 (keys, values), blocks, BLOCK, KV_HEADS, HEAD_SIZE] in CACHE.
#
# Sequences that go on token by token are read from tables of rows instead (Rows.java), [LAYERS, 2, rows, tokens,
# KV_HEADS, HEAD_SIZE] in COMPUTE, to which each step appends a token a row.
#
# The plan (Packing.java) is one int64 tensor: seven counts (tokens N, drawn R, copies C, groups G, tables A, moves M,
# joins J), and then
#   of each group five numbers: n sequences with at most t new tokens each that begin with token `first` and read W blocks
#   each: n, t, W, first, and 1 if nothing of them is in the cache yet;
#   of each table how many rows are read, and how many tokens of each; their tokens are the first, table by table;
#   of each move a table, and the row that becomes which other;
#   of each join a table, its row, the tokens it has so far, and the blocks that hold them;
#   ids, positions, cells [N]: the tokens, their positions, and where in the cache their keys and values go;
#   drawn [R]: behind which tokens one is drawn;
#   from, to [C]: blocks to be copied before anything else;
#   the blocks of each join;
#   of each group: the blocks [n * W] of its sequences, unless it is fresh, and if t > 1 which tokens are its queries
#   [n * t], padded, and which of those are not padding [the group's tokens].

# The cache, all zero as far as it was ever written: numbers that are masked must be finite.
def open_cache(self, blocks: int) -> Tensor:
  return torch.empty([self.LAYERS, 2, blocks, self.BLOCK, self.KV_HEADS, self.HEAD_SIZE], dtype=self.CACHE)

def clear_blocks(self, cache: Tensor, begin: int, end: int) -> Tensor:
  return cache[:, :, begin:end].zero_()

# A table of rows; what is masked must be finite there too.
def open_rows(self, rows: int, tokens: int) -> Tensor:
  return torch.zeros([self.LAYERS, 2, rows, tokens, self.KV_HEADS, self.HEAD_SIZE], dtype=self.COMPUTE)

def copy_rows(self, older: Tensor, rows: Tensor) -> Tensor:
  return rows[:, :, :older.shape[2]].copy_(older)

# Keys or values of n sequences [n, KV_HEADS, T, HEAD_SIZE] out of the blocks `table` of one layer's.
def read_blocks(self, layer: Tensor, table: Tensor, n: int) -> Tensor:
  cells = layer.view(layer.shape[0], -1).index_select(0, table)
  return cells.view(n, -1, self.KV_HEADS, self.HEAD_SIZE).transpose(1, 2).to(self.COMPUTE)

# Which of T cells [n, 1, groups * t, T] queries at `positions` [n * t] may see: 0 or minus infinity.
def cell_mask(self, positions: Tensor, n: int, t: int, T: int) -> Tensor:
  hidden = (torch.arange(T) > positions.unsqueeze(1)).view(n, 1, 1, t, T)
  mask = torch.zeros([n, 1, 1, t, T], dtype=self.COMPUTE).masked_fill_(hidden, -inf)
  groups = self.HEADS // self.KV_HEADS
  return mask.view(n, 1, 1, T) if t == 1 else mask.expand(n, 1, groups, t, T).reshape(n, 1, groups * t, T)

# Attention [n, HEADS * HEAD_SIZE] of the queries [N, HEADS, HEAD_SIZE] of each group.
def attend_groups(self, q: Tensor, k: Tensor, v: Tensor, layer: Tensor, groups: List[int], tables: List[Tensor], queries: List[Tensor], real: List[Tensor], masks: List[Tensor]) -> List[Tensor]:
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
  return done

# The same of those that have rows, whose keys and values are 2 * i and 2 * i + 1 of `read`, a table.
def attend_rows(self, q: Tensor, i: int, reads: List[int], read: List[List[Tensor]], masks: List[Tensor]) -> List[Tensor]:
  done = annotate(List[Tensor], [])
  first = 0
  for a in range(len(read)):
    n = reads[2 * a]
    some = q[first:first + n].view(n, self.KV_HEADS, -1, self.HEAD_SIZE)
    o = torch.scaled_dot_product_attention(some, read[a][2 * i], read[a][2 * i + 1], masks[a])
    done.append(o.view(n, -1))
    first += n
  return done

# Gives [3, R] doubles: the drawn tokens, their log-probs at temperature 1, and those in the distribution drawn from.
def step(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, rows: List[Tensor], plan: Tensor, uniforms: Tensor, s: List[Tensor]) -> Tensor:
  N, R, C, G, A, M, J = annotate(List[int], plan[:7].tolist())
  numbers = annotate(List[int], plan[7:7 + 5 * G + 2 * A + 3 * M + 4 * J].tolist())
  at = 5 * G
  reads = numbers[at:at + 2 * A]
  at += 2 * A
  moves = numbers[at:at + 3 * M]
  joins = numbers[at + 3 * M:]
  groups = numbers[:5 * G]
  at = 7 + len(numbers)
  ids, positions, cells = plan[at:at + 3 * N].view(3, N).unbind(0)
  at += 3 * N
  drawn = plan[at:at + R]
  at += R
  if C > 0:
    cache.index_copy_(2, plan[at + C:at + 2 * C], cache.index_select(2, plan[at:at + C]))
  at += 2 * C
  for m in range(M):
    table = rows[moves[3 * m]]
    table[:, :, moves[3 * m + 2]] = table[:, :, moves[3 * m + 1]]
  for j in range(J):
    a, row, have, blocks = joins[4 * j:4 * j + 4]
    held = cache.index_select(2, plan[at:at + blocks]).flatten(2, 3)
    rows[a][:, :, row, :have] = held[:, :, :have]
    at += blocks
  row_cells = annotate(List[Tensor], [])
  row_masks = annotate(List[Tensor], [])
  written = annotate(List[List[Tensor]], [])
  read = annotate(List[List[Tensor]], [])
  seated = 0
  for a in range(A):
    n, width = reads[2 * a], reads[2 * a + 1]
    where = positions[seated:seated + n]
    row_cells.append(torch.arange(n) * rows[a].shape[3] + where)
    row_masks.append(self.cell_mask(where, n, 1, width))
    written.append(rows[a].view(self.LAYERS, 2, -1, self.KV_HEADS, self.HEAD_SIZE).unbind(0))
    read.append(rows[a][:, :, :n, :width].transpose(3, 4).flatten(0, 1).unbind(0))
    seated += n
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
    masks.append(nothing if fresh == 1 else self.cell_mask(where, n, t, W * self.BLOCK))
  c = cos.index_select(0, positions)
  z = sin.index_select(0, positions)
  layers = cache.view(self.LAYERS, 2, -1, self.KV_HEADS, self.HEAD_SIZE).unbind(0)
  x = torch.embedding(w[0], ids).to(self.WIDE).unsqueeze(0)
  for i in range(self.LAYERS):
    u = self.layer_weights(w, i)
    q, k, v = self.qkv(x, u, c, z)
    q = q.squeeze(0).contiguous()
    both = torch.cat([k, v])
    layers[i].index_copy_(1, cells, both.to(self.CACHE))
    first = 0
    for a in range(A):
      n = reads[2 * a]
      written[a][i].index_copy_(1, row_cells[a], both[:, first:first + n])
      first += n
    done = self.attend_rows(q, i, reads, read, row_masks)
    if G > 0:
      done += self.attend_groups(q, both[0], both[1], cache[i], groups, tables, queries, real, masks)
    o = done[0] if len(done) == 1 else torch.cat(done)
    x = self.after_attention(x, o.unsqueeze(0), u)
  logits = self.last_logits(w, x.squeeze(0).index_select(0, drawn))
  words, log_probs = self.choose(logits, uniforms, self.seen(s, logits.shape[1]), s, 0)
  return torch.stack([words.to(7), self.token_log_probs(logits, words).to(7), log_probs.to(7)])
