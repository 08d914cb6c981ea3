package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that would take minutes, all memory or the stack to grade. */
@Tag("hostile")
class HostileTest {
  private static final String NUMBERS = "\\begin{pmatrix}9&2\\\\3&4\\end{pmatrix}";
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final MathVerify grader = new MathVerify();

  static Stream<String> answers() {
    return Stream.of(
        "(((" + NUMBERS + "^{64})^{64})^{64})^{64}",
        "\\pm 1".repeat(600),
        "5" + " ".repeat(90_000) + "x",
        "5 cm" + "\t".repeat(90_000) + "x",
        "\\text{A" + " , A".repeat(960) + "!}",
        "5 apples" + " ab".repeat(1_300) + "!",
        "5" + "!".repeat(3_900),
        "a" + "^a".repeat(1_900),
        "\\sum_{k}".repeat(490) + "1",
        "\\sum_{k=1}^{9} k".repeat(3),
        "\\sum_{k=1}^{100} (1000000k)!",
        "\\prod_{k=1}^{100} 2^{10000000k}",
        "\\sum_{k=1}^{99} k^{k^{k}}",
        "(0,1)" + "\\cup(2,3)".repeat(400));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void hostileAnswersEndAndAreWrong(String answer) {
    assertTimeoutPreemptively(
        BOUND, () -> assertFalse(grader.equal("5", "\\boxed{" + answer + "}")));
    assertTimeoutPreemptively(BOUND, () -> assertFalse(grader.equal(answer, "\\boxed{6}")));
  }

  /** The exact product of nearly two thousand values of a symbol checks no timeout. */
  @Test
  void nothingIsLeftRunning() throws InterruptedException {
    assertFalse(grader.equal("5", "\\boxed{5 apples " + " a".repeat(1_900) + "!}"));
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("math_verify")) {
        assertTrue(thread.join(BOUND), "still running: " + thread);
      }
    }
  }

  @Test
  void highPowersAreStillCompared() {
    assertTrue(grader.equal("x^{2025}", "\\boxed{x^{2024}\\cdot x}"));
    assertTrue(grader.equal("x^{200}", "\\boxed{" + "x".repeat(200) + "}"));
    assertTrue(grader.equal("5", "\\boxed{5" + " ".repeat(3_900) + "}"));
  }
}
