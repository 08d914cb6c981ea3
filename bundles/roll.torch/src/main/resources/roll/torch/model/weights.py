# What lies in weight files, as tensors. dtype: 5 = f16, 6 = f32, 15 = bf16.

# The `count` numbers behind the first `first` of a file. The file is mapped, copy on write, as long as the tensor lives.
def stored(self, file: str, dtype: int, first: int, count: int) -> Tensor:
  return torch.from_file(file, False, first + count, dtype=dtype)[first:]

# The same, of a shape, with the bytes of the file's name as numbers and place = [dtype, first]: what is recorded takes
# tensors alone.
def view(self, file: Tensor, place: Tensor, shape: Tensor) -> Tensor:
  name = ""
  for byte in annotate(List[int], file.tolist()):
    name += chr(byte)
  numbers = self.stored(name, int(place[0]), int(place[1]), int(shape.prod()))
  return numbers.view(annotate(List[int], shape.tolist())).to(torch.device(self.DEVICE))

# Weights as they are kept where they are bf16.
def narrow(self, x: Tensor) -> Tensor:
  return x.to(15)

# The same over others, behind their first `first` numbers.
def overwrite(self, target: Tensor, first: int, x: Tensor) -> Tensor:
  return target.view(-1)[first:first + x.numel()].copy_(x)

# Fills the f32 tensor with them.
def read(self, target: Tensor, file: str, dtype: int, first: int) -> Tensor:
  return target.view(-1).copy_(self.stored(file, dtype, first, target.numel()))

# The number of the first tensor that is not all finite, or -1. NaN and infinity reach the sum; a sum that overflows is
# looked at closely.
def not_finite(self, tensors: List[Tensor]) -> Tensor:
  for i in range(len(tensors)):
    if not bool(torch.isfinite(tensors[i].sum())) and not bool(torch.isfinite(tensors[i]).all()):
      return torch.tensor([i], device=torch.device(self.DEVICE))
  return torch.tensor([-1], device=torch.device(self.DEVICE))
