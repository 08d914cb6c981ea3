# Sampling. Every row has its own settings and is independent of the others.
#
# s: the settings by number (SamplerInput.java), one tensor each, empty if no row has the setting, which then costs nothing.
# Meaning and order are those of transformers (transformers/generation/logits_process.py): BIAS, REPETITION_PENALTY,
# MIN_TOKENS, ALLOWED and MASK change the logits; then TEMPERATURE, TOP_K, TOP_P and MIN_P, each on the result of the previous one. Excluded
# tokens have minus infinity, and so have the image placeholders IMAGE and VIDEO, if any (head.py). Ties with the last
# token that top-k or top-p keeps are kept too.

# One token for each row of logits [rows, vocabulary], and its log-prob in the distribution it was sampled from, 0 for
# greedy rows. uniforms [rows]: random numbers in [0, 1), double; seen: from `seen_tokens`; i: number of tokens sampled
# since the settings were created.
def sample(self, logits: Tensor, uniforms: Tensor, seen: Tensor, s: List[Tensor], i: int) -> Tuple[Tensor, Tensor]:
  scores = self.process(logits, seen, s, i)
  greedy = torch.argmax(scores, -1)
  temperature = s[self.TEMPERATURE]
  if temperature.shape[0] == 0:
    return greedy, torch.zeros([logits.shape[0]], device=logits.device)
  warm = temperature > 0
  scores = self.filter(scores / torch.where(warm, temperature, torch.ones_like(temperature)).unsqueeze(1), s)
  # inverse transform sampling, in the order of the vocabulary and in double precision
  probabilities = torch.softmax(scores, -1)
  if probabilities.is_cuda:
    chosen = self.exact_choice(probabilities, uniforms)
  else:
    sums = torch.cumsum(probabilities, -1, dtype=7)
    chosen = torch.searchsorted(sums, uniforms.unsqueeze(1) * sums[:, -1:], right=True)
  # NaN logits yield the last token, with a log-prob of NaN
  chosen = chosen.clamp(0, probabilities.shape[1] - 1)
  log_probs = torch.log(torch.gather(probabilities, 1, chosen).squeeze(1))
  return torch.where(warm, chosen.squeeze(1), greedy), torch.where(warm, log_probs, torch.zeros_like(log_probs))

# The probabilities as integers in units of 2^-52, rounded down. A GPU adds in varying order, which changes the last bits of
# floating-point sums, but not those of integers.
def units(self, p: Tensor) -> Tensor:
  return (p * 4503599627370496.).to(4)

# The token of each row whose interval of cumulative probability has the uniform, times their sum. A sum is greater than a
# number if it is greater than the integer below it.
def exact_choice(self, p: Tensor, uniforms: Tensor) -> Tensor:
  sums = torch.cumsum(self.units(p), -1)
  return torch.searchsorted(sums, (uniforms.unsqueeze(1) * sums[:, -1:]).to(4), right=True)

# The logits after all processors that precede the temperature.
def process(self, logits: Tensor, seen: Tensor, s: List[Tensor], i: int) -> Tensor:
  size = logits.shape[1]
  if self.IMAGE >= 0:
    logits = torch.index_fill(logits, 1, self.placeholders(logits), -inf)
  if s[self.BIASED].shape[0] > 0:
    logits = logits + self.bias(s[self.BIASED], s[self.BIAS].view_as(s[self.BIASED]), size)
  if s[self.REPETITION_PENALTY].shape[0] > 0:
    penalty = s[self.REPETITION_PENALTY].unsqueeze(1)
    logits = torch.where(seen, torch.where(logits < 0, logits * penalty, logits / penalty), logits)
  if s[self.MIN_TOKENS].shape[0] > 0:
    early = torch.logical_and(self.marks(s[self.STOPS], size), (s[self.MIN_TOKENS] > i).unsqueeze(1))
    logits = torch.masked_fill(logits, early, -inf)
  if s[self.ALLOWED].shape[0] > 0:
    anything = s[self.ALLOWED][:, :1] < 0
    allowed = torch.logical_or(self.marks(s[self.ALLOWED], size), anything)
    logits = torch.masked_fill(logits, torch.logical_not(allowed), -inf)
  if s[self.MASK].shape[0] > 0:
    logits = torch.masked_fill(logits, self.zeros_of(s[self.MASK], size), -inf)
  return logits

# Mask [rows, size] of the bits of `words` [rows, any] that are 0, from the lowest of the first word on.
def zeros_of(self, words: Tensor, size: int) -> Tensor:
  powers = (2 ** torch.arange(8, device=words.device)).to(0)
  return (torch.bitwise_and(torch.view_copy(words, dtype=0).unsqueeze(-1), powers) == 0).flatten(1)[:, :size]

# The image placeholders, made without a copy from the host.
def placeholders(self, logits: Tensor) -> Tensor:
  image = torch.full([1], self.IMAGE, dtype=4, device=logits.device)
  return torch.cat([image, torch.full([1], self.VIDEO, dtype=4, device=logits.device)])

# Mask [rows, size] of the tokens that each row contains, or an empty tensor if no row has a penalty.
def seen_tokens(self, s: List[Tensor], size: int) -> Tensor:
  return self.marks(s[self.SEEN], size) if s[self.SEEN].shape[0] > 0 else s[self.SEEN]

# Mask [rows, size] of a row's tokens [rows, any]; -1 is padding.
def marks(self, tokens: Tensor, size: int) -> Tensor:
  marks = torch.zeros([tokens.shape[0], size + 1], dtype=11, device=tokens.device)
  return torch.scatter(marks, 1, torch.masked_fill(tokens, tokens < 0, size), True)[:, :size]

# The bias [rows, size] of a row's tokens [rows, any], 0 for others; -1 is padding.
def bias(self, tokens: Tensor, bias: Tensor, size: int) -> Tensor:
  all = torch.zeros([tokens.shape[0], size + 1], device=tokens.device)
  return torch.scatter(all, 1, torch.masked_fill(tokens, tokens < 0, size), bias)[:, :size]

# Applies top-k, then top-p, then min-p; ranked_filter.py or card_filter.py has the first two.
def filter(self, scores: Tensor, s: List[Tensor]) -> Tensor:
  if s[self.TOP_K].shape[0] > 0:
    scores = self.keep_top_k(scores, s[self.TOP_K].unsqueeze(1))
  if s[self.SMALL_TOP_K].shape[0] > 0:
    scores = self.keep_few(scores, s[self.SMALL_TOP_K].unsqueeze(1), s[self.TOP_P])
  elif s[self.TOP_P].shape[0] > 0:
    scores = self.keep_top_p(scores, s[self.TOP_P].unsqueeze(1))
  if s[self.MIN_P].shape[0] > 0:
    min_p = s[self.MIN_P].unsqueeze(1)
    scores = self.keep(scores, torch.amax(scores, [-1], True) + torch.log(min_p), min_p > 0)
  return scores

# Keeps the scores that are at least `threshold` [rows, 1], in rows that are `enabled` [rows, 1].
def keep(self, scores: Tensor, threshold: Tensor, enabled: Tensor) -> Tensor:
  return torch.masked_fill(scores, torch.logical_and(scores < threshold, enabled), -inf)
