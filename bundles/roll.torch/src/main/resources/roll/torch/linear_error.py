# The maximum error of x w' by oneDNN, relative to the maximum result.
def error(self, x: Tensor, w: Tensor) -> Tensor:
  exact = torch.linear(x.to(7), w.to(7), None)
  return ((self.convolved(x, w, None).to(7) - exact).abs().max() / exact.abs().max()).to(6)
