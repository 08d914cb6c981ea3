# What lies in weight files, as tensors. dtype: 5 = f16, 6 = f32, 15 = bf16.

# The `count` numbers behind the first `first` of a file. The file is mapped, copy on write, as long as the tensor lives.
def stored(self, file: str, dtype: int, first: int, count: int) -> Tensor:
  return torch.from_file(file, False, first + count, dtype=dtype)[first:]

# The same, of a shape.
def view(self, file: str, dtype: int, first: int, shape: Tensor) -> Tensor:
  return self.stored(file, dtype, first, int(shape.prod())).view(annotate(List[int], shape.tolist()))

# Weights as they are kept where they are bf16.
def narrow(self, x: Tensor) -> Tensor:
  return x.to(15)

# Fills the f32 tensor with them.
def read(self, target: Tensor, file: str, dtype: int, first: int) -> Tensor:
  return target.view(-1).copy_(self.stored(file, dtype, first, target.numel()))
