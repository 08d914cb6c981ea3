# The settings of `rows` rows for `sample`, cut out of `numbers` (SamplingNumbers.java); widths: the numbers of a row for each
# setting, 0 without it. Lists of tokens are views.
def recorded_settings(self, numbers: Tensor, rows: int, widths: List[int]) -> List[Tensor]:
  found = annotate(List[Tensor], [])
  at = 0
  for i in range(len(widths)):
    x = numbers[at:at + rows * widths[i]]
    at += rows * widths[i]
    if i == self.TEMPERATURE or i == self.TOP_P or i == self.MIN_P or i == self.REPETITION_PENALTY or i == self.BIAS:
      x = torch.view_copy(x, dtype=7).to(6)
    if widths[i] > 0 and (i == self.STOPS or i == self.SEEN or i == self.ALLOWED or i == self.BIASED or i == self.BIAS):
      x = x.view(rows, widths[i])
    found.append(x)
  return found
