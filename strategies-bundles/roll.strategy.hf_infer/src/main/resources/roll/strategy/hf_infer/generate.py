# Generation of a batch: all prompts in one call, then many tokens in each call.

# Prefill: ids [rows, longest] are each row's tokens after its past [rows] slots, counts [rows] their number, also on the
# host as `known` [rows]; `reached` [rows] is past plus counts. Block i has the rows from the previous block's end to
# blocks[2 * i]; blocks[2 * i + 1] is 1 if none of them has a past. mrope [3, rows, longest]: positions of tokens, if there
# are pictures. The placeholders of block i, indices in the block, end at ends[2 * i] of places, their features at
# ends[2 * i + 1] of features. Returns the logits [rows, vocabulary] after each row's last token.
def prefill(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, ids: Tensor, past: Tensor, counts: Tensor, known: List[int], reached: List[int], blocks: List[int], mrope: Tensor, places: Tensor, features: List[Tensor], ends: List[int]) -> Tensor:
  last = annotate(List[Tensor], [])
  begin = 0
  place = 0
  part = 0
  for i in range(len(blocks) // 2):
    end = blocks[2 * i]
    t = max(known[begin:end])
    width = max(reached[begin:end])
    rotary_mrope = mrope
    here = places
    parts = annotate(List[Tensor], [])
    if mrope.dim() == 3:
      rotary_mrope = mrope[:, begin:end, :t]
      here = places[place:ends[2 * i]]
      parts = features[part:ends[2 * i + 1]]
      place = ends[2 * i]
      part = ends[2 * i + 1]
    x = self.extend(w, cos, sin, cache, begin, ids[begin:end, :t], past[begin:end], blocks[2 * i + 1] == 1, width, rotary_mrope, here, parts)
    last.append(x[torch.arange(end - begin, device=ids.device), counts[begin:end] - 1])
    begin = end
  return self.last_logits(w, torch.cat(last))

# The first token of each response, from the rows [rows] of the logits. Returns the tokens, their log-probs as in scoring,
# and their log-probs in the sampling distribution, each [1, rows].
def first(self, logits: Tensor, rows: Tensor, uniforms: Tensor, s: List[Tensor]) -> List[Tensor]:
  logits = logits.index_select(0, rows)
  ids, drawn = self.sample(logits, uniforms[:, 0], self.seen_tokens(s, logits.shape[1]), s, 0)
  return [ids.unsqueeze(0), self.token_log_probs(logits, ids).unsqueeze(0), drawn.unsqueeze(0)]

# Decode: up to uniforms.shape[1] further tokens of each row; ids [rows] are the last ones, at positions past [rows]. Ends
# early when half of the rows are finished, by a stop token or by their limit [rows], so that the caller can remove them.
# mrope [rows]: offsets of positions after pictures; empty without pictures. Returns tokens and log-probs like `first`,
# each [tokens, rows].
def decode(self, w: List[Tensor], cos: Tensor, sin: Tensor, cache: Tensor, ids: Tensor, past: Tensor, limit: Tensor, mrope: Tensor, uniforms: Tensor, s: List[Tensor]) -> List[Tensor]:
  rows = ids.shape[0]
  tokens = annotate(List[Tensor], [])
  log_probs = annotate(List[Tensor], [])
  drawn_log_probs = annotate(List[Tensor], [])
  seen = self.seen_tokens(s, w[2 + self.LAYERS * self.LAYER_SIZE].shape[0])
  width = int(past.max()) + 1
  done = limit <= 0
  nothing = annotate(List[Tensor], [])
  more = True
  while more:
    i = len(tokens)
    x = self.extend(w, cos, sin, cache, 0, ids.unsqueeze(1), past + i, False, min(width + i, cache.shape[4]), mrope, limit, nothing)
    logits = self.last_logits(w, x.squeeze(1))
    ids, drawn = self.sample(logits, uniforms[:, i], seen, s, i)
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
