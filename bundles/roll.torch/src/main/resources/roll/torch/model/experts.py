# Experts in place of one feed-forward layer (Shazeer et al. 2017, section 2): a router chooses by which of them a token is
# computed. Rows are put in the order of their experts, and each expert that has any multiplies them at once; nothing is
# computed that no token asks for. Every sum has one order, so that the same rows give the same bits.
# Constants: EXPERTS, how many there are, or 0; CHOSEN, how many compute a token; NORMED, whether their shares add up to 1;
# ROUTER, where its weight stands in a layer, and EXPERT_SIZE, how many tensors an expert has: those of expert e stand
# e * EXPERT_SIZE behind those of the first.

# Of rows h [N, C] the shares of the chosen experts in the result, in WIDE, and which those are, both [N, CHOSEN]: of the
# softmax over all of them the greatest.
def routed(self, h: Tensor, w: List[Tensor]) -> Tuple[Tensor, Tensor]:
  shares, chosen = torch.topk(torch.softmax(torch.linear(h, w[self.ROUTER].to(self.WIDE)), -1), self.CHOSEN, -1)
  if self.NORMED:
    shares = shares / shares.sum([-1], True)
  return shares, chosen

# The sum of what the experts make of h [.., C], which is normed, in WIDE. The rows are read by their numbers as words of an
# embedding are, whose gradient adds up rows in their order, and on several threads.
def experts(self, h: Tensor, w: List[Tensor], seed: int) -> Tensor:
  rows = h.reshape(-1, h.shape[h.dim() - 1])
  shares, chosen = self.routed(rows, w)
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
