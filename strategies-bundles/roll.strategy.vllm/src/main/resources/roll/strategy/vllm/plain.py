# Linear layers with weights as they are.
def product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  return self.plain_product(x, w, b)
