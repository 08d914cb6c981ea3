package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums and products over an index like Math-Verify 0.8.0. */
class TotalsTest {
  private final MathVerify grader = new MathVerify();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\\sum_{k=1}^{n} a_k b_k | \\sum_{k=1}^{n} b_k a_k",
        "a_n = \\sum_{k=1}^{n} a_{k} b_{n-k} | a_n = \\sum_{k=1}^{n} b_{n-k} a_k",
        "\\sum_{k=0}^{n} \\binom{n}{k} x^k y^{n-k} | \\sum_{k=0}^{n} x^k \\binom{n}{k} y^{n-k}",
        "\\sum_{i=1}^{n} i^2 | \\sum_{i=1}^{n} i\\cdot i",
        "2\\sum_{k=1}^{n} k x | \\sum_{k=1}^{n} x k \\cdot 2",
        "\\sum_{k=1}^{n} k + 1 | 1+\\sum_{k=1}^{n} k",
        "\\sum_{n=1}^{\\infty} \\frac{1}{n^2} | \\sum\\limits_{n=1}^{\\infty} n^{-2}",
        "\\prod_{p} (1 - p^{-s}) | \\prod_p (-p^{-s}+1)",
        "\\sum_{i=1}^{4} i^2 | 30",
        "\\prod_{k=1}^{5} k | 120",
        "\\sum_{k=1}^{3} x | 3x",
        "\\sum_{k=1}^{10^9} k | \\sum_{k=1}^{10^9} k",
      })
  void areTheSame(String answer, String response) {
    assertTrue(grader.equal(answer, "\\boxed{" + response + "}"));
    assertTrue(grader.equal(response, "\\boxed{" + answer + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\\sum_{k=1}^{n} a_k b_k | \\sum_{k=0}^{n} b_k a_k",
        "\\sum_{k=1}^{n} a_k b_k | \\sum_{k=1}^{n} b_k a_{k+1}",
        "\\sum_{k=1}^{n} a_k | \\prod_{k=1}^{n} a_k",
        "\\sum_{k=1}^{n} k | \\sum_{k=1}^{m} k",
        "\\sum_{i=1}^{n} i^2 | \\sum_{i=1}^{n} -1",
        "2\\sum_{k=1}^{n} k x | \\sum_{k=1}^{n} x k \\cdot 3",
        "\\sum_{k=1}^{n} (k + 1) | 1+\\sum_{k=1}^{n} k",
        "\\prod_{k=1}^{n} 2 k | 2\\prod_{k=1}^{n} k",
        "\\sum_{k=1}^{3} a_k | 3 a_k",
        "\\sum_{k=1}^{3} a_k | \\sum_{k=4}^{6} a_k",
        "\\sum_{k=1}^{2}\\sum_{j=1}^{n} k j | \\sum_{k=2}^{3}\\sum_{j=1}^{n} k j",
        "\\sum_{k=1}^{2}\\sum_{j=1}^{n} a_{kj} | \\sum_{k=2}^{3}\\sum_{j=1}^{n} a_{kj}",
        "\\sum_{n=1}^{\\infty} n^{-2} | \\sum_{n=1}^{\\infty} n^{-3}",
        "\\sum_{k=1}^{10^9} k | \\sum_{k=1}^{10^8} k",
        "\\sum_{i=1}^{4} i^2 | 31",
        "\\sum_{k=1}^{100} k^{9999} | 7",
      })
  void differ(String answer, String response) {
    assertFalse(grader.equal(answer, "\\boxed{" + response + "}"));
    assertFalse(grader.equal(response, "\\boxed{" + answer + "}"));
  }
}
