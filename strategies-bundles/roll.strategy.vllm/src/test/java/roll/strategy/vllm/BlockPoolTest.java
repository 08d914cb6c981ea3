package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Readers of blocks, and which block is written over next. */
final class BlockPoolTest {
  private final BlockPool pool = new BlockPool(3, 2, true);

  private Block known(int... tokens) {
    Block block = pool.take();
    pool.remember(block, PrefixTree.ROOT, tokens, 1);
    return block;
  }

  private boolean found(int... tokens) {
    return pool.find(PrefixTree.ROOT, tokens, tokens.length, 9).whole().size() == 1;
  }

  @Test
  void aPoolIsEmptyUntilSomebodyLeaves() {
    List<Block> all = List.of(pool.take(), pool.take(), pool.take());
    assertEquals(List.of(0, 1, 2), all.stream().map(block -> block.id).toList());
    assertEquals(0, pool.free());
    assertEquals(3, pool.used());
    assertNull(pool.take());
    pool.release(all.get(1));
    assertEquals(1, pool.free());
    assertSame(all.get(1), pool.take());
  }

  @Test
  void aBlockIsFreeWhenItsLastReaderGoes() {
    Block block = known(1, 2);
    pool.share(block);
    pool.share(block);
    pool.release(block);
    pool.release(block);
    assertEquals(2, pool.free());
    pool.release(block);
    assertEquals(3, pool.free());
    pool.share(block); // what was free is read again where it lies
    assertEquals(2, pool.free());
    assertEquals(1, block.readers);
  }

  @Test
  void whatWasNotReadForTheLongestTimeGoesFirst() {
    Block first = known(1, 1);
    Block second = known(2, 2);
    Block third = known(3, 3);
    pool.release(second);
    pool.release(third);
    pool.release(first);
    pool.share(second);
    pool.release(second);
    assertSame(third, pool.take());
    assertEquals(List.of(true, true, false), List.of(found(1, 1), found(2, 2), found(3, 3)));
    assertSame(first, pool.take());
    assertSame(second, pool.take());
    assertEquals(List.of(false, false), List.of(found(1, 1), found(2, 2)));
    assertEquals(3, pool.touched());
  }

  @Test
  void whatHoldsNothingGoesBeforeWhatIsKnown() {
    Block first = known(1, 1);
    Block second = pool.take();
    pool.take();
    pool.release(first);
    pool.release(second);
    assertSame(second, pool.take());
    assertEquals(true, found(1, 1));
  }

  @Test
  void aBlockIsKnownByMoreWhenMoreIsWritten() {
    Block block = known(1);
    assertEquals(1, pool.find(PrefixTree.ROOT, new int[] {1, 2}, 2, 9).count());
    long before = block.serial;
    assertNotEquals(before, pool.remember(block, PrefixTree.ROOT, new int[] {1, 2}, 1));
    assertEquals(true, found(1, 2));
  }

  @Test
  void withoutCachingNothingIsKnown() {
    BlockPool forgetful = new BlockPool(2, 2, false);
    Block block = forgetful.take();
    forgetful.remember(block, PrefixTree.ROOT, new int[] {1, 2}, 1);
    PrefixTree.Match match = forgetful.find(PrefixTree.ROOT, new int[] {1, 2}, 2, 9);
    assertEquals(List.of(), match.whole());
    assertNull(match.partial());
  }

  @Test
  void onlyWhatNobodyReadsIsForgotten() {
    Block block = known(1, 2);
    IllegalStateException refused = assertThrows(IllegalStateException.class, pool::clear);
    assertEquals("1 blocks are still read", refused.getMessage());
    pool.release(block);
    pool.clear();
    assertEquals(3, pool.free());
    assertEquals(0, pool.touched());
    assertEquals(false, found(1, 2));
  }
}
