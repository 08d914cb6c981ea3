# Rotated queries and keys [.., T, heads, HEAD_SIZE].
def rotated(self, q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> Tuple[Tensor, Tensor]:
  return (self.rotary(q, cos, sin), self.rotary(k, cos, sin))
