# The three products of a linear layer, as training does them, by libtorch or by oneDNN, and reading memory.

# Output: x [n, in], w [out, in] -> [n, out].
def forward(self, x: Tensor, w: Tensor, onednn: bool) -> Tensor:
  return self.convolved(x, w, None) if onednn else torch.linear(x, w)

# Gradient of the input: g [n, out], w [out, in] -> [n, in].
def input_gradient(self, g: Tensor, w: Tensor, onednn: bool) -> Tensor:
  return self.convolved(g, w.t(), None) if onednn else torch.mm(g, w)

# Gradient of the weight: g [n, out], x [n, in] -> [out, in].
def weight_gradient(self, g: Tensor, x: Tensor, onednn: bool) -> Tensor:
  return self.convolved(g.t(), x.t(), None) if onednn else torch.mm(g.t(), x)

# Random matrix in dtype (6 = f32, 15 = bf16).
def random(self, rows: int, columns: int, dtype: int) -> Tensor:
  return torch.randn([rows, columns], device=torch.device(self.DEVICE)).to(dtype)

# n ones in f32.
def ones(self, n: int) -> Tensor:
  return torch.ones([n], device=torch.device(self.DEVICE))

# Reads all of x.
def read(self, x: Tensor) -> Tensor:
  return x.sum()
