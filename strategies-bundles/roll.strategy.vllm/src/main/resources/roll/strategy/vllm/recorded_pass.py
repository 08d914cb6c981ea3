# A pass of decoding sequences that can be recorded once and replayed (RecordedDecode.java): nothing is read on the host, and
# shapes depend on the arguments other than tensors alone. The rows lie in one table [LAYERS, 2, 1, tokens, KV_HEADS,
# HEAD_SIZE], each from its own start.

def open_ranges(self, tokens: int) -> Tensor:
  return torch.empty([self.LAYERS, 2, 1, tokens, self.KV_HEADS, self.HEAD_SIZE], dtype=self.COMPUTE, device=torch.device(self.DEVICE))

# Copies C blocks of the cache, then the tokens of rows from their blocks. joins: for each row its start in the table, the
# number of its tokens, and of their blocks; numbers: the C blocks to copy, their targets, and the blocks of each row.
def prepare_ranges(self, cache: Tensor, table: Tensor, C: int, joins: List[int], numbers: Tensor) -> List[Tensor]:
  if C > 0:
    cache.index_copy_(2, numbers[C:2 * C], cache.index_select(2, numbers[:C]))
  at = 2 * C
  for j in range(len(joins) // 3):
    start, have, blocks = joins[3 * j:3 * j + 3]
    held = cache.index_select(2, numbers[at:at + blocks]).flatten(2, 3)
    table[:, :, 0, start:start + have].copy_(held[:, :, :have])
    at += blocks
  return annotate(List[Tensor], [])

# One of up to S passes of R rows with at most `longest` tokens. The integers `input` are the number of this pass; ids, positions,
# starts and limits (the tokens that may still be sampled) [R]; slots of the cache [S, R]; random numbers [S, R], the bits of
# doubles; and the sampler's settings of `widths`. The pass writes the numbers of step.py to `output` [S, 3, R], and
# makes `input` that of the next pass. A row at its limit repeats its last pass.
def recorded_pass(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, table: Tensor, input: Tensor, output: Tensor, R: int, S: int, longest: int, widths: List[int]) -> List[Tensor]:
  i = input[:1]
  ids, positions, starts, limits = input[1:1 + 4 * R].view(4, R).unbind(0)
  at = 1 + 4 * R
  slots = input[at:at + S * R].view(S, R).index_select(0, i).squeeze(0)
  at += S * R
  uniforms = torch.view_copy(input[at:at + S * R].view(S, R).index_select(0, i).squeeze(0), dtype=7)
  s = self.recorded_settings(input[at + S * R:], R, widths)
  seen_ids = s[self.SEEN]
  if widths[self.MIN_TOKENS] > 0:
    s[self.MIN_TOKENS] = s[self.MIN_TOKENS] - i
  none = annotate(List[Tensor], [])
  drawn = torch.arange(R, device=input.device)
  logits = self.forward_pass(w, cos, sin, cache, [table], none, [R, longest, 0], starts, ids, positions, input[:0], input[:0], none, slots, drawn, annotate(List[int], []), none, none, none)
  chosen, log_probs = self.sample(logits, uniforms, self.seen_tokens(s, logits.shape[1]), s, 0)
  found = torch.stack([chosen.to(7), self.token_log_probs(logits, chosen).to(7), log_probs.to(7)])
  self.put(output[:3 * S * R].view(1, S, 3, R), i, found.unsqueeze(0).unsqueeze(0))
  if widths[self.SEEN] > 0:
    column = torch.clamp_max(positions + 1, widths[self.SEEN] - 1) # rows without a penalty may be longer
    seen_ids.scatter_(1, column.unsqueeze(1), chosen.unsqueeze(1))
  full = limits <= i + 1
  ids.copy_(torch.where(full, ids, chosen))
  positions.add_(torch.logical_not(full))
  i.add_(1)
  return none
