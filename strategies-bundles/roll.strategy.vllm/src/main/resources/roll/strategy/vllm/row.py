# The product of a single row.
def row_product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  return torch.linear(x, w, b)
