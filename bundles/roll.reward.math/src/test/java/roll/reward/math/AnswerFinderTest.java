package roll.reward.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerFinderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\\boxed{4} and #### 5, or 6 | 4",
        "\\boxed{1} then \\fbox{\\frac{1}{2}} | \\frac{1}{2}",
        "\\boxed{a \\} b} | a \\} b",
        "\\boxed 7$ | 7",
        "\\boxed{1} \\boxed{2 | 1",
        "\\boxedsomething 3 | 3",
        "so #### 1,234 | 1234",
        "#### $18. | 18",
        "#### 72 clips | 72",
        "#### 3x+2 | 3x+2",
        "####\\n12 | 12",
        "it is 5 of 1,234,567 | 1234567",
        "it is 1,23 | 23",
        "10 - 3 | 3",
        "10-3 | 3",
        "f(x)-3 | 3",
        "= -3. | -3",
        "costs $-4.50! | -4.50",
        "about .75 | .75",
        "3/4 | 3/4",
        "3/4.5 | 4.5",
        "5 cm2 | 5",
        "no number | no number",
      })
  void areFound(String response, String answer) {
    assertEquals(Optional.of(answer), AnswerFinder.in(response.replace("\\n", "\n")));
  }

  @Test
  void nothingSaysNothing() {
    assertEquals(Optional.empty(), AnswerFinder.in(" \n"));
    assertEquals(Optional.empty(), AnswerFinder.lastNumber("none"));
  }

  @Test
  void boxesThatNeverCloseAreNone() {
    assertEquals(Optional.empty(), Boxed.last("\\boxed{".repeat(100_000)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\\dfrac{1}{2} | \\frac{1}{2}",
        "\\tfrac12 | \\frac{1}{2}",
        "\\frac1{72} | \\frac{1}{72}",
        "\\frac{1}2 | \\frac{1}{2}",
        "-3/4 | -\\frac{3}{4}",
        "0.5 | \\frac{1}{2}",
        ".5 | \\frac{1}{2}",
        "x = .5 | \\frac{1}{2}",
        "abc = 5 | abc=5",
        "\\sqrt 3 | \\sqrt{3}",
        "\\sqrt{3} | \\sqrt{3}",
        "\\sqrt[3]{2} | \\sqrt[3]{2}",
        "\\left( 1, 2 \\right) | (1,2)",
        "1,234 | 1234",
        "(1,2) | (1,2)",
        "\\$18 | 18",
        "28\\% | 28",
        "90^\\circ | 90",
        "90^{\\circ} | 90",
        "5\\text{ cm} | 5",
        "\\text{red} | \\text{red}",
        "1\\!000 | 1000",
        "'' | ''",
      })
  void haveOneSpelling(String answer, String normal) {
    assertEquals(normal, MathText.normal(answer));
  }
}
