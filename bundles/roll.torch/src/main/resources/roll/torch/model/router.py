# Mixture of experts in place of a feed-forward layer (Shazeer et al. 2017, section 2). Rows are sorted by expert. Every sum
# has a fixed order, so that the same rows give the same bits.
# Constants: EXPERTS, the number of experts, or 0; CHOSEN, experts per token; NORMED, whether their weights are normalized
# to a sum of 1; ROUTER, the index of the router's weight in a layer; EXPERT_SIZE, tensors of an expert: those of expert e
# have an offset of e * EXPERT_SIZE from those of the first.

# The top-k of the router's softmax for rows h [N, C]: weights, in WIDE, and experts, both [N, CHOSEN].
def route(self, h: Tensor, w: List[Tensor]) -> Tuple[Tensor, Tensor]:
  shares, chosen = torch.topk(torch.softmax(torch.linear(h, w[self.ROUTER].to(self.WIDE)), -1), self.CHOSEN, -1)
  if self.NORMED:
    shares = shares / shares.sum([-1], True)
  return shares, chosen
