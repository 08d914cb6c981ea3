# x with a share KEPT / 32768 of its numbers, the others zero; the choice depends on the seed alone.
def dropout(self, x: Tensor, seed: int) -> Tensor:
  drawn = torch.empty(x.shape, dtype=2, device=x.device).random_(generator=torch.Generator(device=x.device, seed=seed))
  return torch.masked_fill(x, drawn >= self.KEPT, 0.)
