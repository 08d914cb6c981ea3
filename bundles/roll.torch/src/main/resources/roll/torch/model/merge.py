# Adds to the weight [out, in] what its adapter A [r, in], B [out, r] adds to its results. Gives the weight.
def merge(self, weight: Tensor, a: Tensor, b: Tensor, scale: float) -> Tensor:
  return weight.addmm_(b, a, alpha=scale)
