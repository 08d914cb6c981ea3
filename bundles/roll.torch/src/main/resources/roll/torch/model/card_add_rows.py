# Adds rows [n, C] to the rows index [n] of `to`: in a fixed order, and without waiting for the card.
def add_rows(self, to: Tensor, index: Tensor, rows: Tensor) -> Tensor:
  return torch.index_put_(to, [index], rows, True)
