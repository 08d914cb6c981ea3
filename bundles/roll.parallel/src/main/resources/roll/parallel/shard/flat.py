# Views of a flat tensor; a row of places [n, 4] has the start, the number of dimensions (1 or 2), and the dimensions.
def views(self, flat: Tensor, places: Tensor) -> List[Tensor]:
  result = annotate(List[Tensor], [])
  for p in annotate(List[List[int]], places.tolist()):
    size = p[2] * p[3]
    x = flat[p[0]:p[0] + size]
    result.append(x.view(p[2], p[3]) if p[1] == 2 else x)
  return result

# The `count` [] floats of a file, mapped shared: writes reach the file. The name is passed as bytes.
def mapped(self, file: Tensor, count: Tensor) -> Tensor:
  name = ""
  for byte in annotate(List[int], file.tolist()):
    name += chr(byte)
  return torch.from_file(name, True, int(count), dtype=6)
