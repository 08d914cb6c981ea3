package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.reward.AnswerGrader;
import roll.testkit.TestOptions;

/** Decimal commas and rounding like Math-Verify 0.8.0. */
class DecimalsTest {
  private final MathVerify grader = new MathVerify();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,125 | 0.125 | true",
        "0,125 | 125 | false",
        "0.125 | \\boxed{0,125} | true",
        "$(0,125)$ | $(0, 125)$ | true",
        "3,75 | 3.75 | true",
        "3,75 | $3,75$ | true",
        "3,75 | 3.76 | false",
        "3,75 | 375 | false",
        "$3,75$ | 3.75 | false",
        "-2,5 | -2.5 | true",
        "1,000 | 1000 | true",
        "1,000 | 1 | false",
      })
  void aCommaMayBeAPoint(String answer, String response, boolean same) {
    assertEquals(same, grader.equal(answer, response));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$(\\frac{2}{7},\\frac{5}{3}]$ | $(0.29,1.67]$",
        "$[\\frac{2}{7},\\infty)$ | $[0.286,\\infty)$",
        "$\\{\\frac{2}{7}, 3\\}$ | $\\{3, 0.29\\}$",
        "$(\\frac{2}{7}, 3)$ | $(0.29, 3)$",
        "$\\begin{pmatrix}\\frac{2}{7}\\\\ 3\\end{pmatrix}$ |"
            + " $\\begin{pmatrix}0.29\\\\ 3\\end{pmatrix}$",
        "$(-\\infty,\\frac{2}{7})\\cup(\\frac{5}{3},4)$ | $(-\\infty,0.29)\\cup(1.67,4)$",
      })
  void areRoundedInsideOfGroupsToo(String answer, String response) {
    assertTrue(rounding(2).equal(answer, response));
    assertFalse(rounding(6).equal(answer, response));
  }

  private AnswerGrader rounding(int places) {
    return grader.configure(
        TestOptions.of("pair", Map.of("float_rounding", places), grader.options()));
  }

  /** The value of a chain of equations belongs to its symbol. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$y = \\qqq = 4$ | 4 | true",
        "$2 = \\qqq = y = 4$ | $4$ | true",
        "$2 = \\qqq = y = 4$ | $2$ | false",
        "$2+2 = 4$ | $4$ | false",
        "$\\qqq = 3$ | $3$ | true",
      })
  void aCommandThatIsNotKnownIsASymbol(String answer, String response, boolean same) {
    assertEquals(same, grader.equal(answer, response));
  }
}
