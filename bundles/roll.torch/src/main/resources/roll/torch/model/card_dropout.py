# dropout.py for cards, whose generators TorchScript cannot create: each number is a hash of its row's and its column's.
def dropout(self, x: Tensor, seed: int) -> Tensor:
  columns = x.shape[x.dim() - 1]
  rows = x.numel() // columns
  first = seed % 2147483647 * 1103515245 % 2147483647
  second = seed % 2147483629 * 1812433253 % 2147483629
  drawn = self.mixed(self.mixed(torch.arange(rows + columns, dtype=3, device=x.device) + first) + second)
  drawn = self.mixed(drawn[:rows].unsqueeze(1) + drawn[rows:])
  return torch.masked_fill(x, (torch.bitwise_and(drawn, 32767) >= self.KEPT).view(x.shape), 0.)

# A permutation of the int32 numbers (Wellons 2018, lowbias32, with arithmetic shifts), in place.
def mixed(self, x: Tensor) -> Tensor:
  x = x.bitwise_xor_(torch.bitwise_right_shift(x, 16)).mul_(569420461)
  x = x.bitwise_xor_(torch.bitwise_right_shift(x, 15)).mul_(-749064809)
  return x.bitwise_xor_(torch.bitwise_right_shift(x, 15))
