package roll.api.strategy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.image.Picture;

class TokenBatchTest {
  private static final Picture PICTURE = Picture.of(new byte[] {1});
  private static final TokenBatch BATCH =
      new TokenBatch(
          new int[] {0, 2, 3, 6},
          new int[] {10, 11, 20, 30, 31, 32},
          new boolean[] {false, true, false, false, true, true},
          List.of(List.of(), List.of(), List.of(PICTURE)));

  @Test
  void samplesAreSelectedWithAllThatIsTheirs() {
    TokenBatch some = BATCH.select(new int[] {2, 0});
    assertArrayEquals(new int[] {0, 3, 5}, some.offsets());
    assertArrayEquals(new int[] {30, 31, 32, 10, 11}, some.tokens());
    assertArrayEquals(new boolean[] {false, true, true, false, true}, some.scored());
    assertEquals(List.of(List.of(PICTURE), List.of()), some.pictures());
    assertEquals(List.of(), BATCH.select(new int[] {0, 1}).pictures());
    assertEquals(0, BATCH.select(new int[0]).samples());
  }

  @Test
  void picturesAreOfAsManySamples() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new TokenBatch(
                new int[] {0, 1}, new int[1], new boolean[1], List.of(List.of(), List.of())));
  }
}
