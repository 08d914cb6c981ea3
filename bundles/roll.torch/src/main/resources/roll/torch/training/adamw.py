# One optimizer step in two calls: the norm of all gradients, then clipping and AdamW on every parameter.

# The sum of the squares of all numbers, a 0-dimensional f64 tensor.
def squares(self, g: List[Tensor]) -> Tensor:
  return torch.stack(torch._foreach_norm(g)).to(7).square().sum()

# Clips the gradients, whose norm is given, to max_norm (torch.nn.utils.clip_grad_norm_), updates parameters and moments
# (torch.optim.AdamW), and sets the gradients to zero. If the norm is not finite, parameters and moments stay unchanged.
# Each list comes twice: for parameters with weight decay, and for those without; step counts from 1. (The caller
# separates them because TorchScript drops an in-place operation on a list that was created here.)
def adamw_step(self,
    p: List[Tensor], g: List[Tensor], m: List[Tensor], v: List[Tensor],
    p0: List[Tensor], g0: List[Tensor], m0: List[Tensor], v0: List[Tensor],
    step: Tensor, rate: Tensor, beta1: float, beta2: float, epsilon: float, decay: float,
    max_norm: float, norm: Tensor) -> Tensor:
  # The fused kernel divides by a scale, so that clipping costs no pass of its own.
  scale = torch.clamp((norm + 1e-6) / max_norm, 1.0).to(6)
  broken = torch.logical_not(torch.isfinite(norm)).to(6)
  if len(p) > 0:
    steps = annotate(List[Tensor], [])
    for x in p:
      steps.append(step)
    torch._fused_adamw_(p, g, m, v, annotate(List[Tensor], []), steps, lr=rate, beta1=beta1,
        beta2=beta2, weight_decay=decay, eps=epsilon, amsgrad=False, maximize=False,
        grad_scale=scale, found_inf=broken)
    torch._foreach_zero_(g)
  if len(p0) > 0:
    steps = annotate(List[Tensor], [])
    for x in p0:
      steps.append(step)
    torch._fused_adamw_(p0, g0, m0, v0, annotate(List[Tensor], []), steps, lr=rate, beta1=beta1,
        beta2=beta2, weight_decay=0.0, eps=epsilon, amsgrad=False, maximize=False,
        grad_scale=scale, found_inf=broken)
    torch._foreach_zero_(g0)
  return norm

# Rounds each tensor of `wide` into that of `narrow`. Returns narrow.
def round(self, narrow: List[Tensor], wide: List[Tensor]) -> List[Tensor]:
  torch._foreach_copy_(narrow, wide)
  return narrow
