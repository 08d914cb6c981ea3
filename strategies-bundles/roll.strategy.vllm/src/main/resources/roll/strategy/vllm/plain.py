# Linear layers with plain weights.
def product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  return self.plain_product(x, w, b)
