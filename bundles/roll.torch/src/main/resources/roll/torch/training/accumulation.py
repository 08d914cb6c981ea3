# Adds the gradients `there` to `here` and sets `there` to zero. Returns `here`.
def move(self, here: List[Tensor], there: List[Tensor]) -> List[Tensor]:
  torch._foreach_add_(here, there)
  torch._foreach_zero_(there)
  return here
