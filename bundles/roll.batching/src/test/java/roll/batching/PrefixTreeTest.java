package roll.batching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import roll.api.image.Picture;
import roll.api.strategy.TokenBatch;

class PrefixTreeTest {
  private static final int IMAGE = 9;

  @Test
  void aGroupSharesItsPrompt() {
    PrefixTree tree = tree(1, "1 2 3 4", "1 2 3 5 6", "1 2 3 5 7");
    assertArrayEquals(new int[] {3, 1, 1, 1, 1}, tree.lengths());
    assertArrayEquals(new int[] {-1, 0, 0, 2, 2}, tree.parents());
    assertArrayEquals(new int[] {0, 3, 3, 4, 4}, tree.offsets());
    assertArrayEquals(new int[] {0, 1, 2, 4, 6}, tree.positions()[2]);
    assertEquals(7, tree.size());
    assertEquals(14, tree.sampleTokens());
  }

  @Test
  void aSampleMayEndWhereAnotherContinues() {
    PrefixTree tree = tree(1, "1 2", "1 2", "1 2 3");
    assertArrayEquals(new int[] {2, 1}, tree.lengths());
    assertArrayEquals(tree.positions()[0], tree.positions()[1]);
  }

  @Test
  void aPrefixThatSavesLittleIsRepeated() {
    assertArrayEquals(new int[] {3, 3}, tree(3, "1 2 3", "1 2 4").lengths());
    assertArrayEquals(new int[] {2, 1, 1}, tree(2, "1 2 3", "1 2 4").lengths());
    assertArrayEquals(new int[] {2, 1, 1, 1}, tree(3, "1 2 3", "1 2 4", "1 2 5").lengths());
  }

  @Test
  void depthFirstOrderKeepsSubtreesTogether() {
    PrefixTree tree = tree(1, "1 2 3", "5 6", "1 2 4", "1 2 3 9");
    assertEquals(List.of(0, 3, 2, 1), tree.depthFirst());
    assertEquals(List.of(List.of(0, 3, 2), List.of(1)), tree.groups());
  }

  @Test
  void differentPicturesAreNotShared() {
    Picture a = Picture.of(new byte[] {1});
    Picture b = Picture.of(new byte[] {2});
    TokenBatch text = batch("1 9 9 2", "1 9 9 2", "1 9 9 2 9 9 3");
    TokenBatch seen =
        new TokenBatch(
            text.offsets(),
            text.tokens(),
            text.scored(),
            List.of(List.of(a), List.of(b), List.of(a, b)));
    PrefixTree tree = PrefixTree.of(seen, new int[] {0, 1, 2}, IMAGE, 1);
    assertArrayEquals(new int[] {1, 3, 3, 3}, tree.lengths());
    assertArrayEquals(new int[] {-1, 0, 1, 0}, tree.parents());
  }

  /** Each sample's path through the tree has its tokens, in segments from the root down. */
  @RepeatedTest(200)
  void pathsAreTheSamples(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(8); i++) {
      StringBuilder text = new StringBuilder();
      int length = 1 + random.nextInt(12);
      for (int t = 0; t < length; t++) {
        text.append(random.nextInt(2)).append(' ');
      }
      texts.add(text.toString());
    }
    PrefixTree tree = tree(1 + random.nextInt(3), texts.toArray(String[]::new));
    int[] tokens = new int[tree.size()];
    int[] segments = new int[tree.size()];
    int at = 0;
    for (int i = 0; i < tree.lengths().length; i++) {
      assertTrue(tree.parents()[i] < i);
      Arrays.fill(segments, at, at + tree.lengths()[i], i);
      at += tree.lengths()[i];
    }
    Arrays.fill(tokens, -1);
    for (int b = 0; b < texts.size(); b++) {
      int[] sample = tokens(texts.get(b));
      int before = -1;
      for (int t = 0; t < sample.length; t++) {
        int position = tree.positions()[b][t];
        assertTrue(tokens[position] == -1 || tokens[position] == sample[t]);
        tokens[position] = sample[t];
        int segment = segments[position];
        assertTrue(segment == before || tree.parents()[segment] == before);
        int within = position - IntStream.range(0, segment).map(i -> tree.lengths()[i]).sum();
        assertEquals(t, tree.offsets()[segment] + within);
        before = segment;
      }
    }
    assertTrue(Arrays.stream(tokens).allMatch(token -> token >= 0), "a token of no sample");
  }

  private static PrefixTree tree(int least, String... texts) {
    return PrefixTree.of(batch(texts), IntStream.range(0, texts.length).toArray(), -1, least);
  }

  private static TokenBatch batch(String... texts) {
    int[] offsets = new int[texts.length + 1];
    IntStream.Builder tokens = IntStream.builder();
    for (int i = 0; i < texts.length; i++) {
      int[] sample = tokens(texts[i]);
      Arrays.stream(sample).forEach(tokens::add);
      offsets[i + 1] = offsets[i] + sample.length;
    }
    int[] all = tokens.build().toArray();
    return new TokenBatch(offsets, all, new boolean[all.length]);
  }

  private static int[] tokens(String text) {
    return Arrays.stream(text.strip().split(" ")).mapToInt(Integer::parseInt).toArray();
  }
}
