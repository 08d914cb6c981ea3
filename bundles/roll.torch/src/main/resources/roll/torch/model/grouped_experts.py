# Experts without adapters and biases (experts.py) for cards: all of them by two grouped products, and without waiting for
# the card to count their rows.

# The weighted sum of the experts' outputs for the normed h [.., C], in WIDE. The rows of each expert are followed by rows of
# zeros, up to a multiple of 8; the last expert has all that remain, so that the size depends on that of h alone.
def experts(self, h: Tensor, w: List[Tensor], seed: int) -> Tensor:
  rows = h.reshape(-1, h.shape[h.dim() - 1])
  shares, chosen = self.route(rows, w)
  order = torch.argsort(chosen.flatten(), stable=True, dim=0, descending=False)
  owner = torch.index_select(chosen.flatten(), 0, order)
  n = owner.shape[0]
  total = (n + 7 * self.EXPERTS + 7) // 8 * 8
  firsts = torch.searchsorted(owner, torch.arange(self.EXPERTS + 1, device=owner.device))
  sizes = torch.floor_divide(firsts[1:] - firsts[:-1] + 7, 8) * 8
  ends = torch.cumsum(sizes, 0)
  places = torch.arange(n, device=owner.device) + torch.index_select(ends - sizes - firsts[:-1], 0, owner)
  ends = torch.constant_pad_nd(ends[:-1], [0, 1], total).to(3)
  x = torch.embedding(rows, torch.floor_divide(order, self.CHOSEN)).to(self.COMPUTE)
  x = torch.index_copy(torch.zeros([total, x.shape[1]], dtype=self.COMPUTE, device=x.device), 0, places, x)
  share = torch.index_select(shares.flatten(), 0, order)
  share = torch.index_copy(torch.zeros([total], dtype=self.WIDE, device=x.device), 0, places, share).unsqueeze(1)
  at = 2 if self.QKV_BIAS else 1
  both = self.joined_weight(w, at).view(self.EXPERTS, -1, x.shape[1])
  gate, up = torch.chunk(self.grouped_product(x, both.transpose(1, 2), ends), 2, -1)
  inner = (torch.silu(gate) * up * share).to(self.COMPUTE)
  down = self.joined_weight(w, at + 1).view(self.EXPERTS, x.shape[1], -1)
  y = self.grouped_product(inner, down.transpose(1, 2), ends)
  back = torch.index_select(places, 0, torch.argsort(order, stable=True, dim=0, descending=False))
  return torch.embedding(y, back.view(-1, self.CHOSEN)).sum([1], dtype=self.WIDE).view(h.shape)

# The joined weight j of a layer, in COMPUTE; a copy if its tensors are not joined in memory.
def joined_weight(self, w: List[Tensor], j: int) -> Tensor:
  if len(w) > self.LAYER_SIZE:
    joined = w[self.LAYER_SIZE + j]
  else:
    parts = annotate(List[Tensor], [])
    for p in self.joined_parts(j):
      parts.append(w[p])
    joined = torch.cat(parts)
  return joined.to(self.COMPUTE)
