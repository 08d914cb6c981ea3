# What the operator of wide_product.py computes, written out, for devices that lack it.
def wide_product(self, x: Tensor, w: Tensor) -> Tensor:
  return torch.mm(x.to(self.WIDE), w.t().to(self.WIDE))
