# One step of the engine: some tokens of many sequences, one behind the other, through all layers; then the next token of
# those that want one. The KV cache is [LAYERS, 2 (keys, values), blocks, BLOCK, KV_HEADS, HEAD_SIZE] in CACHE.
#
# Sequences that go on token by token are read from tables of rows instead (DecodeRows.java), [LAYERS, 2, rows, KV_HEADS,
# tokens, HEAD_SIZE] in COMPUTE, to which each step appends a token a row.
#
# The plan (StepInput.java) are numbers. `head` has eight counts (tokens N, drawn R, copies C, groups G, tables A, moves M,
# joins J, passes S), and then
#   of each group five numbers: n sequences with at most t new tokens each that begin with token `first` and read W blocks
#   each: n, t, W, first, and 1 if nothing of them is in the cache yet;
#   of each table how many rows are read, and how many tokens of each; their tokens are the first, table by table;
#   of each move a table, and the row that becomes which other;
#   of each join a table, its row, the tokens it has so far, and the blocks that hold them.
# Behind it, the int64 tensor `plan` has
#   ids, positions [N]: the tokens and their positions;
#   cells [S, N]: where in the cache the keys and values of each pass go;
#   limits [N], if S > 1: how many tokens each sequence may still draw;
#   drawn [R]: behind which tokens one is drawn;
#   from, to [C]: blocks to be copied before anything else;
#   the blocks of each join;
#   of each group: the blocks [n * W] of its sequences, unless it is fresh, and if t > 1 which tokens are its queries
#   [n * t], padded, and which of those are not padding [the group's tokens].

# Where sequences show pictures, `turns` [3, N] are the positions of all tokens in time, height and width, which is what their
# queries and keys are turned by; else it is empty. The tokens at `places` show what the rows of `shown` are.

# The cache, all zero as far as it was ever written: numbers that are masked must be finite.
def open_cache(self, blocks: int) -> Tensor:
  return torch.empty([self.LAYERS, 2, blocks, self.BLOCK, self.KV_HEADS, self.HEAD_SIZE], dtype=self.CACHE, device=torch.device(self.DEVICE))

def clear_blocks(self, cache: Tensor, begin: int, end: int) -> Tensor:
  return cache[:, :, begin:end].zero_()

# A table of rows; what is masked must be finite there too.
def open_rows(self, rows: int, tokens: int) -> Tensor:
  return torch.zeros([self.LAYERS, 2, rows, self.KV_HEADS, tokens, self.HEAD_SIZE], dtype=self.COMPUTE, device=torch.device(self.DEVICE))

def copy_rows(self, older: Tensor, rows: Tensor) -> Tensor:
  return rows[:, :, :older.shape[2]].copy_(older)

# Up to S tokens of each of the R sequences, one behind the other; more than one only where every token of the step is the
# last one of a sequence with a row. Ends early when an eighth of them is finished, so that the caller can take them out;
# until then, a sequence at its limit repeats its last pass. Gives [tokens, 3, R] doubles: the drawn tokens, their log-probs
# as they would be scored, and those in the distribution drawn from.
def step(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, rows: List[Tensor], head: List[int], plan: Tensor, turns: Tensor, places: Tensor, shown: List[Tensor], uniforms: Tensor, s: List[Tensor]) -> Tensor:
  N, R, C, G, A, M, J, S = head[:8]
  numbers = head[8:]
  at = 5 * G
  reads = numbers[at:at + 2 * A]
  at += 2 * A
  moves = numbers[at:at + 3 * M]
  joins = numbers[at + 3 * M:]
  groups = numbers[:5 * G]
  ids = plan[:N]
  positions = plan[N:2 * N]
  at = 2 * N
  cells = plan[at:at + S * N].view(S, N)
  at += S * N
  limits = plan[at:at + N]
  if S > 1:
    at += N
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
    rows[a][:, :, row, :, :have] = held[:, :, :have].transpose(2, 3)
    at += blocks
  tables = annotate(List[Tensor], [])
  queries = annotate(List[Tensor], [])
  real = annotate(List[Tensor], [])
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
  seen = nothing
  done = torch.zeros([R], dtype=11, device=plan.device)
  found = annotate(List[Tensor], [])
  more = True
  while more:
    i = len(found)
    logits = self.pass_through(w, cos, sin, cache, rows, reads, ids, positions, turns, places, shown, cells[i], drawn, groups, tables, queries, real)
    if i == 0:
      seen = self.seen(s, logits.shape[1])
    words, log_probs = self.choose(logits, uniforms[:, i], seen, s, i)
    found.append(torch.stack([words.to(7), self.token_log_probs(logits, words).to(7), log_probs.to(7)]))
    more = i + 1 < S
    if more:
      if seen.shape[0] > 0:
        seen = torch.scatter(seen, 1, words.unsqueeze(1), True)
      full = limits <= i + 1
      done = torch.logical_or(done, torch.logical_or(full, torch.any(s[self.STOPS] == words.unsqueeze(1), -1)))
      more = 8 * int(done.sum()) < R
      ids = torch.where(full, ids, words)
      positions = positions + torch.logical_not(full)
      if turns.dim() == 2:
        turns = turns + torch.logical_not(full)
      shown = shown[:0]
      for a in range(A):
        reads[2 * a + 1] = reads[2 * a + 1] + 1
  return torch.stack(found)
