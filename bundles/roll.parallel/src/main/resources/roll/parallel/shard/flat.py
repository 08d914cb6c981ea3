# Views into flat tensors: places [n, 4] says of each where it begins, how many dimensions it has (1 or 2) and those.
def views(self, flat: Tensor, places: Tensor) -> List[Tensor]:
  result = annotate(List[Tensor], [])
  for p in annotate(List[List[int]], places.tolist()):
    size = p[2] * p[3]
    x = flat[p[0]:p[0] + size]
    result.append(x.view(p[2], p[3]) if p[1] == 2 else x)
  return result

# The `count` [] floats of a file, whose name is given as bytes: what is written into them is written to the file.
def mapped(self, file: Tensor, count: Tensor) -> Tensor:
  name = ""
  for byte in annotate(List[int], file.tolist()):
    name += chr(byte)
  return torch.from_file(name, True, int(count), dtype=6)
