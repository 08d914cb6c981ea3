package roll.strategy.vllm.speculation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The number of proposed tokens, and the pauses. */
final class AcceptanceRateTest {
  /** Returns the sum of the limits of steps that each accept {@code share} of theirs. */
  private static int proposed(AcceptanceRate acceptance, int rows, int steps, double share) {
    int all = 0;
    for (int step = 0; step < steps; step++) {
      int limit = acceptance.limit(rows, 10);
      if (limit > 0) {
        acceptance.add(limit, (int) (share * limit));
      }
      all += limit;
    }
    return all;
  }

  @Test
  void acceptedTokensRaiseTheNumberToTheMaximum() {
    AcceptanceRate acceptance = new AcceptanceRate();
    assertTrue(acceptance.limit(1, 10) < 10);
    proposed(acceptance, 1, 9, 1);
    assertEquals(10, acceptance.limit(1, 10));
    assertEquals(3, acceptance.limit(1, 3));
    assertEquals(0, acceptance.limit(1, 0));
  }

  @Test
  void withoutAcceptedTokensPausesBecomeLonger() {
    AcceptanceRate acceptance = new AcceptanceRate();
    int first = proposed(acceptance, 1, 64, 0);
    int later = proposed(acceptance, 1, 640, 0);
    assertEquals(3, first, "in steps 0, 4 and 20 of 64");
    assertTrue(later <= 10, later + " of 640");
    int pause = 0;
    while (acceptance.limit(1, 10) == 0) {
      pause++;
    }
    assertTrue(pause < 64, "a pause of more than " + pause);
    acceptance.add(1, 1);
    assertTrue(acceptance.limit(1, 10) > 0, "a pause after an accepted token");
  }

  /** A step of eight tokens takes nearly twice as long with eight more. */
  @Test
  void pausesAreLongerInLargerSteps() {
    assertEquals(2, proposed(new AcceptanceRate(), 8, 96, 0), "in steps 0 and 25");
  }

  @Test
  void aTokenAcceptedByChanceShortensLaterPausesLittle() {
    AcceptanceRate acceptance = new AcceptanceRate();
    proposed(acceptance, 1, 64, 0);
    acceptance.add(1, 1);
    acceptance.add(1, 0);
    assertEquals(0, proposed(acceptance, 1, 60, 0));
  }

  @Test
  void largerStepsProposeFewer() {
    AcceptanceRate acceptance = new AcceptanceRate();
    proposed(acceptance, 1, 3, 1);
    int alone = acceptance.limit(1, 10);
    int beside = acceptance.limit(8, 10);
    assertTrue(beside > 0 && beside < alone, beside + " of " + alone);
    assertEquals(0, acceptance.limit(100, 10));
  }
}
