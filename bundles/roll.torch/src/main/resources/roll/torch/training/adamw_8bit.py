# Numbers, a row for each block: the codes of bytes times the scale of the row.
def widen(self, bytes: Tensor, scales: Tensor, codes: Tensor) -> Tensor:
  x = torch.index_select(codes, 0, bytes.view(-1).to(3))
  return x.view(bytes.size(0), bytes.size(1)).mul_(scales.unsqueeze(1))

# Stores x, which is overwritten, as bytes and the largest magnitude of each row. A byte is the number of ends below its
# number; starts has the byte of the minimum with the same upper 16 bits, among which there is at most one end.
def store(self, x: Tensor, bytes: Tensor, scales: Tensor, ends: Tensor, starts: Tensor) -> Tensor:
  scales.copy_(x.abs().amax(1))
  x.div_(scales.clamp(min=1e-37).unsqueeze(1))
  upper = torch.view_copy(x, dtype=3).bitwise_right_shift_(16).add_(32768)
  found = torch.index_select(starts, 0, upper.view(-1))
  found.add_(torch.gt(x.view(-1), torch.index_select(ends, 0, found.to(3))))
  return bytes.view(-1).copy_(found)

# Updates the matrix p and its moments in bytes m and v, whose scales are ms and vs, by the gradient g. Parts of it, of
# at most self.ROWS blocks of 256 numbers, are f32 one after the other; the last, shorter block is a part of its own.
def adamw_8bit_matrix(self, p: Tensor, g: Tensor, m: Tensor, ms: Tensor, v: Tensor, vs: Tensor, codes: List[Tensor],
    step: int, rate: float, beta1: float, beta2: float, epsilon: float, decay: float) -> Tensor:
  at = 0
  while at < p.numel():
    width = min(p.numel() - at, 256)
    rows = min((p.numel() - at) // width, self.ROWS)
    gradient = g.view(-1).narrow(0, at, rows * width).view(rows, width)
    weights = p.view(-1).narrow(0, at, rows * width).view(rows, width)
    bytes1 = m.view(-1).narrow(0, at, rows * width).view(rows, width)
    bytes2 = v.view(-1).narrow(0, at, rows * width).view(rows, width)
    scales1 = ms.narrow(0, at // 256, rows)
    scales2 = vs.narrow(0, at // 256, rows)
    first = self.widen(bytes1, scales1, codes[0]).mul_(beta1).add_(gradient, alpha=1.0 - beta1)
    second = self.widen(bytes2, scales2, codes[3]).mul_(beta2).addcmul_(gradient, gradient, value=1.0 - beta2)
    root = second.sqrt().div_((1.0 - beta2 ** step) ** 0.5).add_(epsilon)
    weights.mul_(1.0 - rate * decay).addcdiv_(first, root, value=-rate / (1.0 - beta1 ** step))
    self.store(first, bytes1, scales1, codes[1], codes[2])
    self.store(second, bytes2, scales2, codes[4], codes[5])
    at += rows * width
  return p

# Clips the gradients, whose norm is given, to max_norm, updates the matrices p and their moments, and sets the
# gradients to zero; codes has codes, ends and starts of m, then those of v; step counts from 1. If the norm is not
# finite, matrices and moments stay unchanged. Returns the matrices.
def adamw_8bit_step(self, p: List[Tensor], g: List[Tensor], m: List[Tensor], ms: List[Tensor],
    v: List[Tensor], vs: List[Tensor], codes: List[Tensor], step: int, rate: float, beta1: float,
    beta2: float, epsilon: float, decay: float, max_norm: float, norm: float) -> List[Tensor]:
  finite = norm - norm == 0.0
  scale = 1.0 / max((norm + 1e-6) / max_norm, 1.0)
  for i in range(len(p)):
    if finite:
      self.adamw_8bit_matrix(p[i], g[i].mul_(scale), m[i], ms[i], v[i], vs[i], codes,
          step, rate, beta1, beta2, epsilon, decay)
    g[i].zero_()
  return p
