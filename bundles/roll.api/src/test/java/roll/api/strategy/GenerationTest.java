package roll.api.strategy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class GenerationTest {
  private static final int[] TOKENS = {4, 5, 4};

  @Test
  void oneVersionIsThatOfEveryToken() {
    Generation one = new Generation(TOKENS, new double[3], new double[3], true, 6);
    assertArrayEquals(new long[] {6, 6, 6}, one.weightVersions());
    Generation empty = new Generation(new int[0], new double[0], new double[0], true, 6);
    assertEquals(0, empty.weightVersions().length);
  }

  @Test
  void everyTokenHasLogProbsAndAVersion() {
    assertRefused("3 tokens came with 2 log-probs, 3 sampling log-probs and 3 versions", 2, 3, 3);
    assertRefused("3 tokens came with 3 log-probs, 4 sampling log-probs and 3 versions", 3, 4, 3);
    assertRefused("3 tokens came with 3 log-probs, 3 sampling log-probs and 1 versions", 3, 3, 1);
  }

  private static void assertRefused(String message, int logProbs, int sampling, int versions) {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new Generation(
                    TOKENS, new double[logProbs], new double[sampling], true, new long[versions]));
    assertEquals(message, refusal.getMessage());
  }
}
