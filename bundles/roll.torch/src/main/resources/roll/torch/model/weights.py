# Tensors of weight files. dtype: 5 = f16, 6 = f32, 15 = bf16.

# The `count` numbers after the first `first` of a file, mapped copy-on-write while the tensor lives.
def stored(self, file: str, dtype: int, first: int, count: int) -> Tensor:
  return torch.from_file(file, False, first + count, dtype=dtype)[first:]

# The same with a shape; the file's name is passed as a tensor of bytes, and place = [dtype, first], since recorded calls
# take tensors only.
def view(self, file: Tensor, place: Tensor, shape: Tensor) -> Tensor:
  name = ""
  for byte in annotate(List[int], file.tolist()):
    name += chr(byte)
  numbers = self.stored(name, int(place[0]), int(place[1]), int(shape.prod()))
  return numbers.view(annotate(List[int], shape.tolist())).to(torch.device(self.DEVICE))

# x in bf16.
def narrow(self, x: Tensor) -> Tensor:
  return x.to(15)

# The rows of all parts as one tensor, followed by views of it in place of each part.
def join(self, parts: List[Tensor]) -> List[Tensor]:
  joined = [torch.cat(parts)]
  row = 0
  for x in parts:
    joined.append(joined[0][row:row + x.shape[0]].detach())
    row += x.shape[0]
  return joined

# Overwrites target after its first `first` numbers.
def overwrite(self, target: Tensor, first: int, x: Tensor) -> Tensor:
  return target.view(-1)[first:first + x.numel()].copy_(x)

# Overwrites each tensor of `targets` with that of `tensors`, whose format may be another.
def overwrite_all(self, targets: List[Tensor], tensors: List[Tensor]) -> List[Tensor]:
  torch._foreach_copy_(targets, tensors)
  return annotate(List[Tensor], [])

# Reads the numbers of a file into the f32 tensor target.
def read(self, target: Tensor, file: str, dtype: int, first: int) -> Tensor:
  return target.view(-1).copy_(self.stored(file, dtype, first, target.numel()))

# The index of the first tensor with a number that is not finite, or -1. NaN and infinity reach the sum; if the sum
# itself overflows, every number is checked.
def not_finite(self, tensors: List[Tensor]) -> Tensor:
  for i in range(len(tensors)):
    if not bool(torch.isfinite(tensors[i].sum())) and not bool(torch.isfinite(tensors[i]).all()):
      return torch.tensor([i], device=torch.device(self.DEVICE))
  return torch.tensor([-1], device=torch.device(self.DEVICE))
