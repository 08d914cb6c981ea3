# Sampling. Every row has its own settings, and nothing of a row depends on the others.
#
# s are the settings by number (Setting.java): one tensor each, and an empty one where no row has the setting, which then
# costs nothing. Meaning and order are those of transformers (transformers/generation/logits_process.py): REPETITION_PENALTY,
# LEAST and ALLOWED change the logits; then TEMPERATURE, TOP_K, TOP_P and MIN_P, each on what the one before left. What is
# left out has minus infinity, and so have IMAGE and VIDEO, the tokens that stand for parts of pictures, where there are any (head.py). Tokens as likely as the last one that top-k or top-p keeps are kept too.

# One token of each row of logits [rows, vocabulary], and its log-prob in the distribution it was drawn from, 0 where the
# likeliest was taken. uniforms [rows] in [0, 1), double, are the random numbers; seen as `seen` gives it; i is how many
# tokens were drawn since the settings were made.
def choose(self, logits: Tensor, uniforms: Tensor, seen: Tensor, s: List[Tensor], i: int) -> Tuple[Tensor, Tensor]:
  scores = self.process(logits, seen, s, i)
  greedy = torch.argmax(scores, -1)
  temperature = s[self.TEMPERATURE]
  if temperature.shape[0] == 0:
    return greedy, torch.zeros([logits.shape[0]], device=logits.device)
  warm = temperature > 0
  scores = self.filter(scores / torch.where(warm, temperature, torch.ones_like(temperature)).unsqueeze(1), s)
  # inverse of the distribution function, in the vocabulary's order and in double precision
  probabilities = torch.softmax(scores, -1)
  sums = self.whole_sums(probabilities) if probabilities.is_cuda else torch.cumsum(probabilities, -1, dtype=7)
  drawn = torch.searchsorted(sums, uniforms.unsqueeze(1) * sums[:, -1:], right=True)
  # a model that gives no numbers gives the last word, whose log-prob is no number either
  drawn = drawn.clamp(0, probabilities.shape[1] - 1)
  log_probs = torch.log(torch.gather(probabilities, 1, drawn).squeeze(1))
  return torch.where(warm, drawn.squeeze(1), greedy), torch.where(warm, log_probs, torch.zeros_like(log_probs))

# Running sums of each row of probabilities, double: of integers in units of 2^-52, for a GPU adds in an order that is
# another every time, which changes the last bits of sums of fractions.
def whole_sums(self, p: Tensor) -> Tensor:
  return torch.cumsum((p.to(7) * 4503599627370496.).to(4), -1).to(7) / 4503599627370496.

# What tokens are drawn from before any temperature.
def process(self, logits: Tensor, seen: Tensor, s: List[Tensor], i: int) -> Tensor:
  size = logits.shape[1]
  if self.IMAGE >= 0:
    logits = torch.index_fill(logits, 1, torch.tensor([self.IMAGE, self.VIDEO], device=logits.device), -inf)
  if s[self.REPETITION_PENALTY].shape[0] > 0:
    penalty = s[self.REPETITION_PENALTY].unsqueeze(1)
    logits = torch.where(seen, torch.where(logits < 0, logits * penalty, logits / penalty), logits)
  if s[self.LEAST].shape[0] > 0:
    early = torch.logical_and(self.marks(s[self.STOPS], size), (s[self.LEAST] > i).unsqueeze(1))
    logits = torch.masked_fill(logits, early, -inf)
  if s[self.ALLOWED].shape[0] > 0:
    anything = s[self.ALLOWED][:, :1] < 0
    allowed = torch.logical_or(self.marks(s[self.ALLOWED], size), anything)
    logits = torch.masked_fill(logits, torch.logical_not(allowed), -inf)
  return logits

# Which words [rows, size] each row has already, or nothing where no row has a penalty.
def seen(self, s: List[Tensor], size: int) -> Tensor:
  return self.marks(s[self.SEEN], size) if s[self.SEEN].shape[0] > 0 else s[self.SEEN]

# Which words [rows, size] are among a row's tokens [rows, any]; -1 stands for none.
def marks(self, tokens: Tensor, size: int) -> Tensor:
  marks = torch.zeros([tokens.shape[0], size + 1], dtype=11, device=tokens.device)
  return torch.scatter(marks, 1, torch.masked_fill(tokens, tokens < 0, size), True)[:, :size]

# What top-k leaves, of this what top-p leaves, and of this what min-p leaves.
def filter(self, scores: Tensor, s: List[Tensor]) -> Tensor:
  if s[self.TOP_K].shape[0] > 0:
    top_k = s[self.TOP_K].unsqueeze(1)
    ranked = self.ranked(scores, int(top_k.max()))
    least = torch.gather(ranked, 1, top_k.clamp(1, ranked.shape[1]) - 1)
    scores = self.keep(scores, least, top_k > 0)
  if s[self.TOP_P].shape[0] > 0:
    top_p = s[self.TOP_P].unsqueeze(1)
    ranked = self.ranked(scores, int((scores > -inf).sum(-1).max()))
    # the least likely ones go whose probabilities together are at most 1 - top_p
    rising = torch.softmax(ranked, -1).flip([-1])
    sums = self.whole_sums(rising) if rising.is_cuda else torch.cumsum(rising, -1)
    removed = (sums <= 1 - top_p).sum(-1, keepdim=True)
    least = torch.gather(ranked, 1, (ranked.shape[1] - 1 - removed).clamp(0))
    scores = self.keep(scores, least, top_p < 1)
  if s[self.MIN_P].shape[0] > 0:
    min_p = s[self.MIN_P].unsqueeze(1)
    scores = self.keep(scores, torch.amax(scores, [-1], True) + torch.log(min_p), min_p > 0)
  return scores

# The scores that are at least `least` [rows, 1]; all of them in rows that do not ask [rows, 1].
def keep(self, scores: Tensor, least: Tensor, asking: Tensor) -> Tensor:
  return torch.masked_fill(scores, torch.logical_and(scores < least, asking), -inf)

# The n greatest scores of each row, falling.
def ranked(self, scores: Tensor, n: int) -> Tensor:
  size = scores.shape[1]
  if 4 * n < size:
    values, order = torch.topk(scores, n)
    return values
  values, order = torch.sort(scores, -1, True)
  return values[:, :n]
