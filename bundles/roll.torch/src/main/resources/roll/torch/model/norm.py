# RMSNorm (Zhang and Sennrich 2019, equation 4) of the last dimension, in WIDE.
def rms_norm(self, x: Tensor, w: Tensor) -> Tensor:
  norm = torch.linalg_vector_norm(x, 2, [-1], True)
  return x * torch.rsqrt(norm * norm / x.shape[-1] + self.EPSILON) * self.gain(w)
