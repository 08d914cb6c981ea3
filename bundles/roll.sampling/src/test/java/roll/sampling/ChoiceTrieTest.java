package roll.sampling;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The tree of choices. */
final class ChoiceTrieTest {
  private static final int[] STOPS = {0, 9};

  @Test
  void onlyTokensOfAChoiceMayComeNext() {
    ChoiceTrie root = ChoiceTrie.of(List.of(new int[] {4, 5}, new int[] {4, 6, 7}, new int[] {8}));
    assertArrayEquals(new int[] {4, 8}, root.allowed(STOPS));
    assertTrue(root.after(8).complete());
    ChoiceTrie four = root.after(4);
    assertArrayEquals(new int[] {5, 6}, four.allowed(STOPS));
    assertFalse(four.complete());
    assertArrayEquals(new int[] {7}, four.after(6).allowed(STOPS));
    assertTrue(four.after(6).after(7).complete());
    assertFalse(root.ambiguous());
    assertThrows(IllegalStateException.class, () -> root.after(5));
  }

  @Test
  void aStopTokenEndsWhatALongerChoiceBeginsWith() {
    ChoiceTrie root = ChoiceTrie.of(List.of(new int[] {4}, new int[] {4, 6}));
    assertTrue(root.ambiguous());
    assertArrayEquals(new int[] {4}, root.allowed(STOPS));
    assertArrayEquals(new int[] {6, 0, 9}, root.after(4).allowed(STOPS));
    assertFalse(ChoiceTrie.of(List.of(new int[] {4, 6}, new int[] {4, 6})).ambiguous());
  }

  @Test
  void aStopTokenWithinAChoiceIsFound() {
    assertTrue(ChoiceTrie.of(List.of(new int[] {3, 9, 4})).cutBy(List.of(0, 9)));
    assertFalse(ChoiceTrie.of(List.of(new int[] {3, 4, 9})).cutBy(List.of(0, 9)));
    assertFalse(ChoiceTrie.of(List.of(new int[] {3, 4})).cutBy(List.of()));
  }
}
