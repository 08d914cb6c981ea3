# Top-k and top-p of ranked_filter.py for cards: thresholds are found by bisection over the bits of the scores, so that the
# host need not know how many to sort, and a row does not depend on the others. If the host knows that every row keeps few,
# these are sorted, which is much faster.

# int32 numbers in the order of the f32 scores.
def bit_order(self, scores: Tensor) -> Tensor:
  bits = torch.view_copy(scores + 0., dtype=3)
  return torch.where(bits < 0, torch.bitwise_xor(bits, 2147483647), bits)

# Keeps the top_k [rows, 1] largest scores of each row.
def keep_top_k(self, scores: Tensor, top_k: Tensor) -> Tensor:
  keys = self.bit_order(scores)
  threshold = torch.full_like(top_k, -2147483648)
  step = 2147483648
  while step > 0:
    higher = threshold + step
    threshold = torch.where((keys >= higher.to(3)).sum(-1, keepdim=True) >= top_k, higher, threshold)
    step = step // 2
  return torch.masked_fill(scores, torch.logical_and(keys < threshold, top_k > 0), -inf)

# Removes the least likely tokens with a total probability of at most 1 - top_p [rows, 1], with exact sums.
def keep_top_p(self, scores: Tensor, top_p: Tensor) -> Tensor:
  keys = self.bit_order(scores)
  parts = self.units(torch.softmax(scores, -1))
  most = (1 - top_p).to(7) * 4503599627370496.
  threshold = torch.full_like(top_p, -2147483648, dtype=4)
  step = 2147483648
  while step > 0:
    higher = threshold + step
    lower = torch.where(keys < higher.to(3), parts, 0).sum(-1, keepdim=True)
    threshold = torch.where(lower.to(7) <= most, higher, threshold)
    step = step // 2
  threshold = torch.minimum(threshold, torch.amax(keys, [-1], True).to(4))
  return torch.masked_fill(scores, torch.logical_and(keys < threshold, top_p < 1), -inf)

# As keep_few of ranked_filter.py, with exact sums in units of 2^-40 of the largest probability. top_k is at most SMALL, or 0
# for all. Of the kept scores only those that equal the least one can be more than SMALL.
def keep_few(self, scores: Tensor, top_k: Tensor, top_p: Tensor) -> Tensor:
  values, order = torch.topk(scores, min(self.SMALL, scores.shape[1]))
  least = torch.gather(values, 1, top_k.clamp(1, values.shape[1]) - 1)
  least = torch.masked_fill(least, top_k == 0, -inf)
  if top_p.shape[0] > 0:
    top_p = top_p.unsqueeze(1)
    kept = values >= least
    sums = torch.cumsum(torch.where(kept, self.shares(values, values[:, :1]), 0), -1)
    more = (scores >= least).sum(-1, keepdim=True) - kept.sum(-1, keepdim=True)
    total = sums[:, -1:] + more * self.shares(least, values[:, :1])
    number = (total - sums > (1 - top_p).to(7) * total).sum(-1, keepdim=True)
    higher = torch.gather(values, 1, number.clamp(0, values.shape[1] - 1))
    least = torch.where(top_p < 1, torch.maximum(least, higher), least)
  return torch.masked_fill(scores, scores < least, -inf)

# The probabilities of scores, relative to that of the largest one, in units of 2^-40, rounded down.
def shares(self, scores: Tensor, largest: Tensor) -> Tensor:
  return (torch.exp(scores - largest) * 1099511627776.).to(4)
