# Adds rows [n, C] to the rows index [n] of `to`.
def add_rows(self, to: Tensor, index: Tensor, rows: Tensor) -> Tensor:
  ids, inverse = torch._unique(index, True, True)
  sums = torch.embedding_dense_backward(rows, inverse, ids.shape[0], -1, False)
  return to.index_add_(0, ids, sums)
