package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exact numbers differ by any difference, whatever their size. */
class ExactNumbersTest {
  private final MathVerify grader = new MathVerify();

  @ParameterizedTest
  @CsvSource({
    "2^{100}-1, 2^{100}",
    "10^{20}+1, 10^{20}",
    "10^{15}+\\frac12, 10^{15}",
    "50!+1, 50!",
    "100!, 100!-1",
    "\\binom{100}{50}, \\binom{100}{50}-1",
    "3^{2020}+1, 3^{2020}-1",
    "2^{2018}-1, 2^{2018}",
    "\\frac{2^{100}-1}{3}, \\frac{2^{100}-2}{3}",
    "1267650600228229401496703205375, 1267650600228229401496703205376",
    "2^{100}-1, 1267650600228229401496703205376",
    "e^{50}+1, e^{50}",
    "e^{1000}+1, e^{1000}",
    "\\sqrt{10^{40}+1}, 10^{20}",
    "\\pi^{60}, \\pi^{60}+\\frac{1}{10}",
    "10^{-20}, 2\\cdot 10^{-20}",
    "\\sqrt{2}\\cdot 10^{-20}, \\sqrt{3}\\cdot 10^{-20}",
    "(1+\\sqrt{2})^{60}, (1+\\sqrt{2})^{60}+1",
    "2^{n}-1, 2^{n}",
    "2^{n+50}-1, 2^{n+50}",
    "x^{10}+1, x^{10}",
    "x^{50}-1, x^{50}",
    "x^{2024}-1, x^{2024}",
    "(a+b)^{50}+1, (a+b)^{50}",
    "n^{20}+n, n^{20}+2n",
    "e^{50x}+1, e^{50x}",
    "x^{30}+y, x^{30}+2y",
  })
  void differ(String answer, String response) {
    assertFalse(grader.equal(answer, "\\boxed{" + response + "}"));
    assertFalse(grader.equal(response, "\\boxed{" + answer + "}"));
  }

  @ParameterizedTest
  @CsvSource({
    "\\sqrt{2}+\\sqrt{3}, \\sqrt{5+2\\sqrt{6}}",
    "\\sqrt{3+2\\sqrt{2}}, 1+\\sqrt{2}",
    "e^{50}\\cdot e^{50}, e^{100}",
    "100!, 100\\cdot 99!",
    "2^{100}, 4^{50}",
    "\\binom{100}{50}, \\frac{100!}{50!50!}",
    "\\cos\\frac{\\pi}{5}, \\frac{1+\\sqrt{5}}{4}",
    "(1+\\sqrt{2})^{20}, (3+2\\sqrt{2})^{10}",
    "(x+1)^{30}, (x+1)^{28}(x^2+2x+1)",
    "\\sin^2 x+\\cos^2 x, 1",
    "10^{-20}\\sqrt{8}, 2\\cdot 10^{-20}\\sqrt{2}",
    "2.5\\pi, \\frac{5\\pi}{2}",
  })
  void areTheSame(String answer, String response) {
    assertTrue(grader.equal(answer, "\\boxed{" + response + "}"));
  }
}
