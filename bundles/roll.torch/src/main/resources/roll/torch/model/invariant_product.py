# x [..., in] -> x w' + b, with w [out, in] and b [out] or none.
def product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  return self.invariant_product(x, w, b)
