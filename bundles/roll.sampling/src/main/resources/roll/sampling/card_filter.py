# Top-k and top-p of ranked_filter.py for cards: thresholds are found by bisection over the bits of the scores, so that the
# host need not know how many to sort, and a row does not depend on the others.

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
    threshold = torch.where((keys >= higher).sum(-1, keepdim=True) >= top_k, higher, threshold)
    step = step // 2
  return torch.masked_fill(scores, torch.logical_and(keys < threshold, top_k > 0), -inf)

# Removes the least likely tokens with a total probability of at most 1 - top_p [rows, 1], with exact sums.
def keep_top_p(self, scores: Tensor, top_p: Tensor) -> Tensor:
  keys = self.bit_order(scores)
  parts = (torch.softmax(scores, -1).to(7) * 4503599627370496.).to(4)
  most = (1 - top_p).to(7) * 4503599627370496.
  threshold = torch.full_like(top_p, -2147483648, dtype=4)
  step = 2147483648
  while step > 0:
    higher = threshold + step
    lower = torch.masked_fill(parts, keys >= higher, 0).sum(-1, keepdim=True)
    threshold = torch.where(lower.to(7) <= most, higher, threshold)
    step = step // 2
  threshold = torch.minimum(threshold, torch.amax(keys, [-1], True).to(4))
  return torch.masked_fill(scores, torch.logical_and(keys < threshold, top_p < 1), -inf)
