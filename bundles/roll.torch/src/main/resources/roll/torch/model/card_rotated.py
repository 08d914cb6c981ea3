# rotated.py for cards, where starting a kernel costs more than a copy: both at once.
def rotated(self, q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> Tuple[Tensor, Tensor]:
  heads = [q.shape[q.dim() - 2], k.shape[k.dim() - 2]]
  q, k = torch.split_with_sizes(self.rotary(torch.cat([q, k], -2), cos, sin), heads, -2)
  return (q, k)
