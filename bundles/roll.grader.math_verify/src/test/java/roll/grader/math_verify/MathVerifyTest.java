package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.reward.AnswerGrader;
import roll.testkit.TestOptions;

/** Properties of any answer. */
class MathVerifyTest {
  private final MathVerify grader = new MathVerify();

  static Stream<String> answers() {
    return Stream.of(
        "42",
        "-0.5",
        "\\frac{3}{4}",
        "28\\%",
        "\\{1,2\\}",
        "(3,1)",
        "[0,1)",
        "(0,1)\\cup(2,\\infty)",
        "x=5",
        "x^2+y^2=4",
        "x>5",
        "1<x<3",
        "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}",
        "\\sqrt{2}",
        "\\sin x",
        "e^{i\\pi}",
        "\\text{Even}",
        "no solution",
        "\\alpha",
        "\\int_0^1 f(x)\\,dx",
        "12:00",
        "\\emptyset",
        "\\pm 3");
  }

  @ParameterizedTest
  @MethodSource("answers")
  void everyAnswerIsItself(String answer) {
    assertTrue(grader.equal(answer, "\\boxed{" + answer + "}"));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void textAroundABoxChangesNothing(String answer) {
    String response =
        "Let us see: 3 + 4 = 7, and $y = 8$.\n\nSo \\boxed{" + answer + "} is it, not 9.";
    assertTrue(grader.equal(answer, response));
    assertEquals(Optional.of(answer), grader.answer(response));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void noAnswerIsAnother(String answer) {
    answers()
        .filter(other -> !other.equals(answer))
        .forEach(other -> assertFalse(grader.equal(answer, "\\boxed{" + other + "}"), other));
  }

  static Stream<String> nasty() {
    return Stream.of(
        "9^9^9^9",
        "9^{9^{9^9}}",
        "2^{999999999999}",
        "10^{10^{10}}+1",
        "((10!)!)!",
        "\\binom{1000000000}{500000000}",
        "1000000000!",
        "(x+y+z+1)^{9999}",
        "\\sin(\\cos(\\tan(".repeat(500),
        "(".repeat(5_000) + "1" + ")".repeat(5_000),
        "{".repeat(50_000),
        "\\sqrt{".repeat(2_000) + "2" + "}".repeat(2_000),
        "\\frac{1}{".repeat(90) + "x" + "}".repeat(90),
        "7".repeat(100_000),
        "1+".repeat(50_000) + "1",
        "x".repeat(100_000),
        "answer ".repeat(15_000),
        "answer 1 ".repeat(11_000) + "\\boxed{",
        "$".repeat(100_000),
        "\\[".repeat(50_000),
        "\\boxed{".repeat(14_000),
        "1 000 ".repeat(16_000),
        "\\u0000\u0000\uffff\ud800",
        "0/0",
        "1/0",
        "x_{x_{x_{x}}}");
  }

  @ParameterizedTest
  @MethodSource("nasty")
  void nastyResponsesEndAndAreWrong(String nasty) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          assertFalse(grader.equal("5", "\\boxed{" + nasty + "}"));
          assertFalse(grader.equal("x^2+5", "\\boxed{" + nasty + "}"));
          assertFalse(grader.equal("5", nasty));
          assertFalse(grader.equal(nasty, "\\boxed{5}"));
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"0/0", "\\frac{1}{0}", "\\frac{x}{0}"})
  void whatIsUndefinedEqualsNothing(String undefined) {
    assertFalse(grader.equal(undefined, "\\boxed{" + undefined + "}"));
  }

  @Test
  void manyThreadsAgreeWithOne() {
    List<String> all = answers().toList();
    boolean right =
        IntStream.range(0, 400)
            .parallel()
            .allMatch(
                i -> {
                  String gold = all.get(i % all.size());
                  String other = all.get(i * 7 % all.size());
                  return grader.equal(gold, "\\boxed{" + other + "}") == gold.equals(other);
                });
    assertTrue(right);
  }

  @Test
  void lettersAreAnOption() {
    AnswerGrader choices = with("targets", List.of("latex", "expr", "string"));
    assertTrue(choices.equal("B", "The answer is B."));
    assertTrue(choices.equal("C", "C\nbecause A is too small"));
    assertFalse(choices.equal("B", "The answer is C."));
    assertFalse(grader.equal("B", "The answer is B."));
  }

  @Test
  void wrongOptionsAreRefused() {
    assertEquals(
        "grader.targets: expected some of latex, expr, string, found 'words'",
        userError(() -> with("targets", "words")));
    assertEquals(
        "grader.float_rounding: expected an integer from 0 to 15, found '99'",
        userError(() -> with("float_rounding", 99)));
    assertEquals(
        "grader: unknown key 'rounding' (allowed: float_rounding, numeric_precision, strict,"
            + " allow_set_relation_comp, boxed_match_priority, targets, strings); did you mean"
            + " 'float_rounding'?",
        userError(() -> with("rounding", 2)));
  }

  private AnswerGrader with(String option, Object value) {
    return grader.configure(TestOptions.of("grader", Map.of(option, value), grader.options()));
  }

  /** Equal answers in different formatting have the same vote. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "So \\boxed{5}",
        "The final answer is $\\boxed{5}$.",
        "The final answer is $\\boxed{5}$. I hope it is correct.",
        "The final answer is: \\[ \\boxed{5} \\]",
        "The final answer is $x = \\boxed{5}$",
        "The final answer is \\fbox{5}.",
        "Answer: $ \\boxed{ 5 } $",
        "$$\\boxed{\\boxed{5}}$$",
        "So \\boxed{$5$}.",
        "So \\boxed{5.}",
        "The final answer is 5."
      })
  void theAnswerIsTheContentOfTheBox(String response) {
    assertEquals(Optional.of("5"), grader.answer(response));
  }

  @Test
  void nothingIsFoundInNothing() {
    assertEquals(Optional.empty(), grader.answer(""));
    assertEquals(Optional.empty(), grader.answer("I do not know."));
    assertFalse(grader.equal("", ""));
    assertFalse(grader.equal("", "\\boxed{}"));
  }
}
