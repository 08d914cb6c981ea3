package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;

/** The longest known beginning of a text, token by token. */
final class PrefixTreeTest {
  private final PrefixTree tree = new PrefixTree(4);
  private int blocks;

  private Block add(long parent, long step, int... tokens) {
    Block block = new Block(blocks++);
    tree.add(block, parent, tokens, step);
    return block;
  }

  private void assertFound(PrefixTree.Match match, List<Block> whole, Block partial, int count) {
    assertEquals(whole, match.whole());
    assertSame(partial, match.partial());
    assertEquals(count, match.count());
  }

  @Test
  void anotherSaltFindsNothing() {
    add(PrefixTree.root(7), 1, 1, 2, 3, 4);
    int[] text = {1, 2, 3, 4};
    assertEquals(1, tree.find(PrefixTree.root(7), text, 4, 2).whole().size());
    assertEquals(0, tree.find(PrefixTree.root(8), text, 4, 2).whole().size());
    assertEquals(0, tree.find(PrefixTree.root(0), text, 4, 2).whole().size());
  }

  @Test
  void aTextIsFoundTokenByToken() {
    Block first = add(PrefixTree.ROOT, 1, 1, 2, 3, 4);
    Block second = add(first.serial, 1, 5, 6, 7, 8);
    Block end = add(second.serial, 1, 9, 10);
    int[] text = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    assertFound(tree.find(PrefixTree.ROOT, text, 11, 2), List.of(first, second), end, 2);
    assertFound(tree.find(PrefixTree.ROOT, text, 9, 2), List.of(first, second), end, 1);
    assertFound(tree.find(PrefixTree.ROOT, text, 8, 2), List.of(first, second), null, 0);
    assertFound(tree.find(PrefixTree.ROOT, text, 7, 2), List.of(first), second, 3);
    assertFound(tree.find(PrefixTree.ROOT, text, 0, 2), List.of(), null, 0);
    assertFound(tree.find(PrefixTree.ROOT, new int[] {1, 2, 9}, 3, 2), List.of(), first, 2);
    assertFound(tree.find(PrefixTree.ROOT, new int[] {2, 1}, 2, 2), List.of(), null, 0);
    // the same tokens behind others are something else
    assertFound(tree.find(PrefixTree.ROOT, new int[] {5, 6, 7, 8}, 4, 2), List.of(), null, 0);
  }

  /** Blocks written by a step are read in the same step, but never copied in it. */
  @Test
  void whatTheSameStepWritesIsReadAndNotCopied() {
    Block first = add(PrefixTree.ROOT, 7, 1, 2, 3, 4);
    int[] text = {1, 2, 3, 4, 5};
    assertFound(tree.find(PrefixTree.ROOT, text, 4, 7), List.of(first), null, 0);
    assertFound(tree.find(PrefixTree.ROOT, text, 3, 7), List.of(), null, 0);
    assertFound(tree.find(PrefixTree.ROOT, text, 3, 8), List.of(), first, 3);
  }

  @Test
  void theFirstBlockOfEqualOnesIsKnown() {
    Block first = add(PrefixTree.ROOT, 1, 1, 2, 3, 4);
    Block second = new Block(9);
    assertEquals(first.serial, tree.add(second, PrefixTree.ROOT, new int[] {1, 2, 3, 4}, 2));
    assertEquals(0, second.serial);
    tree.remove(second); // was never known, and the first stays
    assertFound(tree.find(PrefixTree.ROOT, new int[] {1, 2, 3, 4}, 4, 3), List.of(first), null, 0);
  }

  @Test
  void whatBeginsWithSomethingForgottenIsNotFound() {
    Block first = add(PrefixTree.ROOT, 1, 1, 2, 3, 4);
    Block second = add(first.serial, 1, 5, 6, 7, 8);
    long before = first.serial;
    tree.remove(first);
    int[] text = {1, 2, 3, 4, 5, 6, 7, 8};
    assertFound(tree.find(PrefixTree.ROOT, text, 8, 2), List.of(), null, 0);
    tree.add(first, PrefixTree.ROOT, new int[] {1, 2, 3, 4}, 2);
    assertNotEquals(before, first.serial);
    assertFound(tree.find(PrefixTree.ROOT, text, 8, 3), List.of(first), null, 0);
    tree.remove(second);
    tree.clear();
    assertNull(tree.find(PrefixTree.ROOT, text, 8, 3).partial());
  }

  /** Against all texts there are, one by one. */
  @Test
  void randomTextsAreFoundAsFarAsOneOfThemGoes() {
    RandomGenerator random = RandomStreams.of(1, "texts");
    for (int trial = 0; trial < 300; trial++) {
      int size = 1 + trial % 5;
      PrefixTree many = new PrefixTree(size);
      List<int[]> texts = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        int[] query = text(random);
        int most = random.nextInt(query.length + 1);
        int expected = 0;
        for (int[] known : texts) {
          int common = Arrays.mismatch(known, 0, known.length, query, 0, most);
          expected = Math.max(expected, common < 0 ? most : common);
        }
        PrefixTree.Match match = many.find(PrefixTree.ROOT, query, most, i);
        assertEquals(expected, match.whole().size() * size + match.count());
        int[] added = text(random);
        texts.add(added);
        long parent = PrefixTree.ROOT;
        for (int from = 0; from < added.length; from += size) {
          int[] part = Arrays.copyOfRange(added, from, Math.min(from + size, added.length));
          parent = many.add(new Block(i), parent, part, i);
        }
      }
    }
  }

  private static int[] text(RandomGenerator random) {
    return random.ints(random.nextInt(14), 0, 3).toArray();
  }
}
