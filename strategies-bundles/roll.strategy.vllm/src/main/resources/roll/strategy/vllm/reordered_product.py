# Linear layers with weights that may be reordered.
def product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  return self.reordered_product(x, w, b)
