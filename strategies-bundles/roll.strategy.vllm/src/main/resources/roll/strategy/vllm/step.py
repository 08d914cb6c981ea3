# One engine step: runs the concatenated tokens of many sequences through all layers, and samples the next token of those
# that need one. The KV cache is [LAYERS, 2 (keys, values), blocks, BLOCK, KV_HEADS, HEAD_SIZE] in CACHE.
#
# Decoding sequences are read from tables of contiguous rows instead (DecodeRows.java) in COMPUTE; each step appends a token
# to each row. dense_reads.py or flash_reads.py has their order, and reads and writes them.
#
# The plan (StepInput.java) consists of integers. `head` has eight counts (tokens N, sampled tokens R, copies C, groups G,
# tables A, moves M, joins J, passes S), then
#   for each group five numbers n, t, W, first, fresh: n sequences with at most t new tokens each, beginning with token
#   `first`, that read W blocks each; fresh is 1 if none of them is in the cache yet;
#   for each table the number of rows to read, of tokens of each, and of tokens of its prefix; their tokens come first, table
#   by table, and are counted behind the prefix;
#   for each move a table, the source row and the target row;
#   for each join a table, its row, the number of its tokens so far, and of the blocks that hold them.
# The int64 tensor `plan` has
#   ids, positions [N]: the tokens and their positions;
#   slots [S, N]: the slot mapping of the keys and values of each pass;
#   limits [N], if S > 1: the number of tokens that each sequence may still sample;
#   drawn [R]: the tokens after which one is sampled;
#   from, to [C]: blocks to be copied first;
#   the blocks of each join;
#   for each group: the block tables [n * W] of its sequences, unless it is fresh, and if t > 1 the tokens of its queries
#   [n * t], padded, and the indices of those that are not padding [the group's tokens].

# With pictures, `mrope` [3, N] has the rotary positions of all tokens in time, height and width; otherwise it is empty.
# `places` are the image placeholders that the rows of `features` replace.

# The cache; clear_blocks zeroes blocks before their first use, since masked numbers must be finite.
def open_cache(self, blocks: int) -> Tensor:
  return torch.empty([self.LAYERS, 2, blocks, self.BLOCK, self.KV_HEADS, self.HEAD_SIZE], dtype=self.CACHE, device=torch.device(self.DEVICE))

def clear_blocks(self, cache: Tensor, begin: int, end: int) -> Tensor:
  return cache[:, :, begin:end].zero_()

# Copies the rows of a smaller table.
def copy_rows(self, older: Tensor, rows: Tensor) -> Tensor:
  return rows[:, :, :older.shape[2]].copy_(older)

# Samples up to S tokens of each of the R sequences; more than one only if every token of the step is the last one of a
# sequence with a row. Ends early when an eighth of the sequences is finished, except on cards, so that the caller can remove them; until
# then a sequence at its limit repeats its last pass. Returns [tokens, 3, R] doubles: the sampled tokens, their log-probs
# as in scoring, and their log-probs in the sampling distribution.
def step(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, rows: List[Tensor], prefixes: List[Tensor], head: List[int], plan: Tensor, mrope: Tensor, places: Tensor, features: List[Tensor], uniforms: Tensor, s: List[Tensor]) -> Tensor:
  N, R, C, G, A, M, J, S = head[:8]
  numbers = head[8:]
  at = 5 * G
  reads = numbers[at:at + 3 * A]
  at += 3 * A
  moves = numbers[at:at + 3 * M]
  joins = numbers[at + 3 * M:]
  groups = numbers[:5 * G]
  ids = plan[:N]
  positions = plan[N:2 * N]
  at = 2 * N
  slots = plan[at:at + S * N].view(S, N)
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
    self.fill_row(rows[a], row, held[:, :, :have])
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
    logits = self.forward_pass(w, cos, sin, cache, rows, prefixes, reads, nothing, ids, positions, mrope, places, features, slots[i], drawn, groups, tables, queries, real)
    if i == 0:
      seen = self.seen_tokens(s, logits.shape[1])
    chosen, log_probs = self.sample(logits, uniforms[:, i], seen, s, i)
    found.append(torch.stack([chosen.to(7), self.token_log_probs(logits, chosen).to(7), log_probs.to(7)]))
    more = i + 1 < S
    if more:
      if seen.shape[0] > 0:
        seen = torch.scatter(seen, 1, chosen.unsqueeze(1), True)
      full = limits <= i + 1
      done = torch.logical_or(done, torch.logical_or(full, torch.any(s[self.STOPS] == chosen.unsqueeze(1), -1)))
      more = not self.ends_early(done)
      ids = torch.where(full, ids, chosen)
      positions = positions + torch.logical_not(full)
      if mrope.dim() == 2:
        mrope = mrope + torch.logical_not(full)
      features = features[:0]
      for a in range(A):
        reads[3 * a + 1] = reads[3 * a + 1] + 1
  return torch.stack(found)
