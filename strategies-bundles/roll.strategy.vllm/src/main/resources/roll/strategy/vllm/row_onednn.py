# The product of a single row. For bf16 oneDNN's operator is up to 1.6 times as fast as linear, on processors with AVX-512;
# on others oneDNN does not support bf16.
def row_product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  if w.dtype == 15 and ops.mkldnn._is_mkldnn_bf16_supported():
    return ops.mkldnn._linear_pointwise(x, w, b, "none", annotate(List[Optional[number]], []), "")
  return torch.linear(x, w, b)
