# Generation of a batch: the prompts in one call, then many tokens a call.

# Runs the prompts: ids [rows, longest] are each row's tokens behind its past [rows] cells, counts [rows] how many, which
# `known` [rows] says once more, and `reached` [rows] past and counts together.
# Block i runs the rows before blocks[2 * i] that no block before ran; blocks[2 * i + 1] is 1 if none of them has a past.
# turns [3, rows, longest] are the tokens' positions where rows show pictures. Those of block i are shown at the places up to
# ends[2 * i], which are places in the block, by what is before ends[2 * i + 1] in `shown`.
# Gives the logits [rows, vocabulary] behind each row's last token.
def prefill(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, ids: Tensor, past: Tensor, counts: Tensor, known: List[int], reached: List[int], blocks: List[int], turns: Tensor, places: Tensor, shown: List[Tensor], ends: List[int]) -> Tensor:
  last = annotate(List[Tensor], [])
  begin = 0
  place = 0
  part = 0
  for i in range(len(blocks) // 2):
    end = blocks[2 * i]
    t = max(known[begin:end])
    width = max(reached[begin:end])
    turned = turns
    here = places
    parts = annotate(List[Tensor], [])
    if turns.dim() == 3:
      turned = turns[:, begin:end, :t]
      here = places[place:ends[2 * i]]
      parts = shown[part:ends[2 * i + 1]]
      place = ends[2 * i]
      part = ends[2 * i + 1]
    x = self.extend(w, cos, sin, cache, begin, ids[begin:end, :t], past[begin:end], blocks[2 * i + 1] == 1, width, turned, here, parts)
    last.append(x[torch.arange(end - begin, device=ids.device), counts[begin:end] - 1])
    begin = end
  return self.last_logits(w, torch.cat(last))

# The first token of each row: of the logits' rows [rows]. Gives tokens, their log-probs as they would be scored and those in
# the distribution drawn from, each [1, rows].
def first(self, logits: Tensor, rows: Tensor, uniforms: Tensor, s: List[Tensor]) -> List[Tensor]:
  logits = logits.index_select(0, rows)
  ids, drawn = self.choose(logits, uniforms[:, 0], self.seen(s, logits.shape[1]), s, 0)
  return [ids.unsqueeze(0), self.token_log_probs(logits, ids).unsqueeze(0), drawn.unsqueeze(0)]

# Up to uniforms.shape[1] further tokens of each row; ids [rows] are the last ones, at positions past [rows]. Ends early
# when half of the rows are finished, by a stop token or by their limit [rows], so that the caller can take them out.
# turns [rows] are added to positions behind pictures; empty where no row shows any.
# Gives tokens and log-probs as `first` does, each [tokens, rows].
def decode(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, ids: Tensor, past: Tensor, limit: Tensor, turns: Tensor, uniforms: Tensor, s: List[Tensor]) -> List[Tensor]:
  rows = ids.shape[0]
  tokens = annotate(List[Tensor], [])
  log_probs = annotate(List[Tensor], [])
  drawn_log_probs = annotate(List[Tensor], [])
  seen = self.seen(s, w[len(w) - 1].shape[0])
  width = int(past.max()) + 1
  done = limit <= 0
  nothing = annotate(List[Tensor], [])
  more = True
  while more:
    i = len(tokens)
    x = self.extend(w, cos, sin, cache, 0, ids.unsqueeze(1), past + i, False, min(width + i, cache.shape[4]), turns, limit, nothing)
    logits = self.last_logits(w, x.squeeze(1))
    ids, drawn = self.choose(logits, uniforms[:, i], seen, s, i)
    tokens.append(ids)
    log_probs.append(self.token_log_probs(logits, ids))
    drawn_log_probs.append(drawn)
    if seen.shape[0] > 0:
      seen = torch.scatter(seen, 1, ids.unsqueeze(1), True)
    i = i + 1
    stopped = torch.any(s[self.STOPS] == ids.unsqueeze(1), -1)
    done = torch.logical_or(done, torch.logical_or(stopped, limit <= i))
    more = i < uniforms.shape[1] and 2 * int(done.sum()) < rows
  return [torch.stack(tokens), torch.stack(log_probs), torch.stack(drawn_log_probs)]
