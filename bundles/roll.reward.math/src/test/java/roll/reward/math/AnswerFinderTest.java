package roll.reward.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.RandomStreams;

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

  /** Expressions that would take quadratic time with backtracking. */
  @ParameterizedTest
  @ValueSource(strings = {"", "####"})
  void areFoundAsByPlainExpressions(String mark) {
    String number =
        "(?:(?<![)\\]}])-)?(?:(?:\\d{1,3}(?:,\\d{3})+(?!\\d)|\\d+)(?:\\.\\d+)?|\\.\\d+)";
    Pattern plain =
        Pattern.compile(
            mark.isEmpty()
                ? "(?=[-.\\d])(?<![\\w.])(" + number + "(?:/\\d+(?![\\d.]*\\d))?)"
                : "^[$€£]?\\s*(" + number + "(?:/\\d+)?)\\s*(?:%|\\s[\\p{L} ]*)?\\.?$");
    RandomGenerator random = RandomStreams.of(1, "answers");
    int found = 0;
    for (int i = 0; i < 50_000; i++) {
      String text =
          random
              .ints(1 + random.nextInt(8), 0, 12)
              .mapToObj("1a .\t/%,$-)2"::substring)
              .map(rest -> rest.substring(0, 1))
              .collect(Collectors.joining())
              .strip();
      Matcher matcher = plain.matcher(text);
      String expected = mark.isEmpty() ? null : text.isEmpty() ? mark : text;
      while (matcher.find()) {
        expected = matcher.group(1).replace(",", "");
        found++;
      }
      assertEquals(
          Optional.ofNullable(expected),
          mark.isEmpty() ? AnswerFinder.lastNumber(text) : AnswerFinder.in(mark + text),
          text);
    }
    assertTrue(found > 1000, "numbers are too rare to tell");
  }

  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void longTextsTakeLinearTime() {
    String ones = "1".repeat(300_000);
    assertEquals(ones.length() + 2, AnswerFinder.in("1/" + ones + ".1").orElseThrow().length());
    String line = "5" + " ".repeat(300_000) + "!";
    assertEquals(line.length(), AnswerFinder.in("#### " + line).orElseThrow().length());
  }

  @Test
  void boxesThatNeverCloseAreNone() {
    assertEquals(Optional.empty(), BoxedText.last("\\boxed{".repeat(100_000)));
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
