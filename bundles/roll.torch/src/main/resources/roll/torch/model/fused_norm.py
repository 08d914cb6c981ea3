# RMSNorm (Zhang and Sennrich 2019, equation 4) of the last dimension, in WIDE: one operator, which is one kernel on cards
# from libtorch 2.9 on.
def rms_norm(self, x: Tensor, w: Tensor) -> Tensor:
  return torch.rms_norm(x, [x.shape[x.dim() - 1]], self.gain(w).to(self.WIDE), self.EPSILON)
