# Merges the adapter A [r, in], B [out, r] into the weight [out, in]. Returns the weight.
def merge(self, weight: Tensor, a: Tensor, b: Tensor, scale: float) -> Tensor:
  return weight.addmm_(b, a, alpha=scale)
