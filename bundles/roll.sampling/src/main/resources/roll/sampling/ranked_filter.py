# Top-k and top-p by sorting as many scores as the rows need, which the host has to know.

# Keeps the top_k [rows, 1] largest scores of each row.
def keep_top_k(self, scores: Tensor, top_k: Tensor) -> Tensor:
  ranked = self.ranked(scores, int(top_k.max()))
  threshold = torch.gather(ranked, 1, top_k.clamp(1, ranked.shape[1]) - 1)
  return self.keep(scores, threshold, top_k > 0)

# Removes the least likely tokens with a total probability of at most 1 - top_p [rows, 1].
def keep_top_p(self, scores: Tensor, top_p: Tensor) -> Tensor:
  ranked = self.ranked(scores, int((scores > -inf).sum(-1).max()))
  rising = torch.softmax(ranked, -1).flip([-1])
  sums = torch.cumsum(self.units(rising), -1).to(7) / 4503599627370496. if rising.is_cuda else torch.cumsum(rising, -1)
  removed = (sums <= 1 - top_p).sum(-1, keepdim=True)
  threshold = torch.gather(ranked, 1, (ranked.shape[1] - 1 - removed).clamp(0))
  return self.keep(scores, threshold, top_p < 1)

# Keeps the top_k [rows, 1] largest scores, then applies top_p [rows], if it is not empty.
def keep_few(self, scores: Tensor, top_k: Tensor, top_p: Tensor) -> Tensor:
  scores = self.keep_top_k(scores, top_k)
  return self.keep_top_p(scores, top_p.unsqueeze(1)) if top_p.shape[0] > 0 else scores

# The n largest scores of each row, descending.
def ranked(self, scores: Tensor, n: int) -> Tensor:
  size = scores.shape[1]
  if 4 * n < size:
    values, order = torch.topk(scores, n)
    return values
  values, order = torch.sort(scores, -1, True)
  return values[:, :n]
