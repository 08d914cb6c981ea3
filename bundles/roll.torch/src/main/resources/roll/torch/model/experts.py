# Experts (router.py): each one with rows multiplies them at once.

# The weighted sum of the experts' outputs for the normed h [.., C], in WIDE. Rows are gathered by an embedding lookup,
# whose gradient adds rows in a fixed order, and on several threads.
def experts(self, h: Tensor, w: List[Tensor], seed: int) -> Tensor:
  rows = h.reshape(-1, h.shape[h.dim() - 1])
  shares, chosen = self.route(rows, w)
  order = torch.argsort(chosen.flatten(), stable=True, dim=0, descending=False)
  counts = annotate(List[int], torch.bincount(chosen.flatten(), None, self.EXPERTS).tolist())
  x = torch.embedding(rows, torch.floor_divide(order, self.CHOSEN)).to(self.COMPUTE)
  share = torch.index_select(shares.flatten(), 0, order).unsqueeze(1)
  some = torch.split_with_sizes(x, counts, 0)
  weighted = torch.split_with_sizes(share, counts, 0)
  parts = annotate(List[Tensor], [])
  for e in range(self.EXPERTS):
    if counts[e] > 0:
      first = e * self.EXPERT_SIZE
      inner = self.gated(some[e], w, first, seed)
      parts.append(self.down((inner * weighted[e]).to(self.COMPUTE), w, first, seed))
  back = torch.argsort(order, stable=True, dim=0, descending=False).view(-1, self.CHOSEN)
  return torch.embedding(torch.cat(parts), back).sum([1], dtype=self.WIDE).view(h.shape)
