# The polar factor of a matrix, nearly: five Newton-Schulz iterations move all singular values near 1.
def orthogonal(self, g: Tensor) -> Tensor:
  tall = g.size(0) > g.size(1)
  x = g.t() if tall else g
  x = x / x.norm().clamp(min=1e-7)
  for i in range(5):
    a = torch.mm(x, x.t())
    x = torch.addmm(x, torch.addmm(a, a, a, beta=-4.7750, alpha=2.0315), x, beta=3.4445)
  return x.t() if tall else x

# Clips the gradients, whose norm is given, to max_norm, updates the matrices p and their momentum m, and sets the
# gradients to zero; t has matrices in the number format in which Newton-Schulz iterations compute. If the norm is not
# finite, matrices and momentum stay unchanged. Returns the momentum.
def muon_step(self, p: List[Tensor], t: List[Tensor], g: List[Tensor], m: List[Tensor],
    rate: float, decay: float, max_norm: float, norm: float) -> List[Tensor]:
  finite = norm - norm == 0.0
  scale = 1.0 / max((norm + 1e-6) / max_norm, 1.0)
  for i in range(len(p)):
    if finite:
      gradient = g[i].mul_(scale)
      momentum = m[i].lerp_(gradient, 0.05)
      update = self.orthogonal(torch.lerp(gradient, momentum, 0.95).to(t[i].dtype)).to(6)
      rms = 0.2 * max(p[i].size(0), p[i].size(1)) ** 0.5
      p[i].mul_(1.0 - rate * decay).add_(update, alpha=-rate * rms)
    g[i].zero_()
  return m
