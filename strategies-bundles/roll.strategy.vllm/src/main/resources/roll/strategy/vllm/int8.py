# Linear layers with int8 weights: w [out, in] is an integer from -127 to 127 times the bf16 scale of its output channel.
# The head is not quantized. Steps of few tokens read the int8 weights; for more rows libtorch's kernel is slower than
# oneDNN, so these read the same numbers in bf16, reordered, and so do layers whose input size is not a multiple of 32,
# which the kernel does not support.

# Both forms of w, concatenated: with int8 linear layers, and with linear layers dequantized and reordered. Converted
# layer by layer to limit the peak of memory.
def int8_weights(self, w: List[Tensor]) -> List[Tensor]:
  few = [w[0]]
  many = [w[0]]
  for i in range(self.LAYERS):
    layer = self.layer_weights(w, i)
    for at in range(self.LAYER_SIZE):
      x = layer[at]
      if self.is_linear(at):
        scales = (torch.amax(torch.abs(x.to(6)), [1], True) / 127).clamp(1e-30).to(15)
        numbers = torch.round(x.to(6) / scales.to(6)).clamp(-127, 127)
        rounded = self.reordered((numbers * scales.to(6)).to(15))
        many.append(rounded)
        few.append(self.packed(numbers, scales) if x.shape[1] % 32 == 0 else rounded)
      else:
        many.append(x)
        few.append(x)
  last = 2 + self.LAYERS * self.LAYER_SIZE
  rest = w[1 + self.LAYERS * self.LAYER_SIZE:last] + [self.reordered(w[last])]
  return few + rest + many + rest

# Scales [out, 1] and numbers [out, in] in one int8 tensor: all scales, then all numbers.
def packed(self, numbers: Tensor, scales: Tensor) -> Tensor:
  return torch.cat([scales.flatten().view_copy(dtype=1), numbers.to(1).flatten()])

# x [1, rows, in] or [rows, in] -> x w' + b, with w [out, in] int8, reordered, or neither.
def product(self, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
  if w.dtype != 1:
    return self.reordered_product(x, w, b)
  within = x.shape[x.dim() - 1]
  out = w.shape[0] // (within + 2)
  scales = w[:2 * out].view_copy(dtype=15)
  y = torch._weight_int8pack_mm(x.reshape(-1, within), w[2 * out:].view(out, within), scales)
  if b is not None:
    y = y + b
  return y.unsqueeze(0) if x.dim() == 3 else y
