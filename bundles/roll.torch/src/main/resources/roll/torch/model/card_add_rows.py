# Adds rows [n, C] to the rows index [n] of `to`: in a fixed order, and without a check of the index, which waits for the card.
def add_rows(self, to: Tensor, index: Tensor, rows: Tensor) -> Tensor:
  return torch._index_put_impl_(to, annotate(List[Optional[Tensor]], [index]), rows, True, True)
