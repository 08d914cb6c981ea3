package roll.strategy.vllm.speculation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

/** The last occurrence of the longest match. */
final class NgramProposerTest {
  private static int[] text(int... tokens) {
    return tokens;
  }

  private static void proposed(NgramProposer proposer, int[] text, int... expected) {
    assertArrayEquals(expected, proposer.propose(text, text.length, 100));
  }

  @Test
  void theTokensBehindTheMatchAreProposed() {
    NgramProposer proposer = new NgramProposer(3, 2, 2);
    proposed(proposer, text(1, 2, 3, 4, 5, 6, 1, 2), 3, 4, 5);
    proposed(proposer, text(1, 2, 3, 4, 5, 6, 2));
    proposed(proposer, text(1));
    proposed(proposer, text(1, 1));
  }

  @Test
  void theLastMatchCountsUnlessAnotherIsLonger() {
    proposed(new NgramProposer(1, 2, 1), text(1, 2, 3, 1, 2, 4, 1, 2), 4);
    proposed(new NgramProposer(1, 3, 1), text(9, 1, 2, 3, 1, 2, 4, 9, 1, 2), 3);
    proposed(new NgramProposer(1, 2, 1), text(9, 1, 2, 3, 1, 2, 4, 9, 1, 2), 4);
    proposed(new NgramProposer(1, 3, 3), text(1, 2, 3, 1, 2));
  }

  @Test
  void whatRepeatsIsProposedBeyondTheEnd() {
    proposed(new NgramProposer(5, 3, 1), text(7, 7), 7, 7, 7, 7, 7);
    proposed(new NgramProposer(5, 3, 2), text(1, 2, 3, 1, 2), 3, 1, 2, 3, 1);
  }

  @Test
  void picturesEndAProposal() {
    proposed(new NgramProposer(5, 1, 1), text(1, 2, -3, 4, 1), 2);
    proposed(new NgramProposer(5, 1, 1), text(1, -3, 4, 1));
  }

  @Test
  void noMoreAreProposedThanAllowedAndNothingBehindTheLengthIsRead() {
    int[] text = {1, 2, 3, 4, 1, 9, 9};
    assertArrayEquals(text(2, 3), new NgramProposer(3, 1, 1).propose(text, 5, 2));
  }
}
