package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Prints the gradings per second of one thread; asserts nothing. */
@Tag("slow")
class SpeedTest {
  private final MathVerify grader = new MathVerify();

  @Test
  void plainNumbersInSentences() {
    measure("plain numbers", 20_000, "%d", "First 48/2 = 24. Then 48+24 = 72. The answer is %d.");
  }

  @Test
  void boxedFractions() {
    measure(
        "boxed fractions",
        20_000,
        "\\frac{%d}{7}",
        "We get $p = 3$ and so \\boxed{\\frac{%d}{7}}.");
  }

  @Test
  void equationsByComputerAlgebra() {
    measure("expressions", 500, "(x+%d)^2", "\\boxed{(x+%1$d)\\cdot(x+%1$d)}");
  }

  private void measure(String what, int times, String gold, String response) {
    run(times / 4, gold, response);
    long start = System.nanoTime();
    run(times, gold, response);
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("math_verify, %s: %.0f gradings/s%n", what, times / seconds);
  }

  private void run(int times, String gold, String response) {
    for (int i = 0; i < times; i++) {
      assertTrue(grader.equal(gold.formatted(i), response.formatted(i)));
    }
  }
}
