package roll.strategy.vllm;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.FakeImageProcessor.IMAGE;
import static roll.testkit.FakeImageProcessor.picture;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.image.Picture;
import roll.sampling.PromptPictures.Slice;

/** Tests the pictures of step plans, and prefix sharing with pictures. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StepPicturesTest {
  private static final Picture WIDE = picture(2, 3, 5);
  private static final Picture OTHER = picture(2, 3, 6);

  /** Two words, six tokens of a picture, a word. */
  private static final int[] PROMPT = {1, 2, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, 3};

  @AutoClose private final Tiny tiny = new Tiny();

  private EngineRequest showing(Picture picture) {
    return tiny.showing(List.of(picture), 3, PROMPT);
  }

  /** A chunk that ends within the picture, after a decoding sequence. */
  @Test
  void chunksShowPartsOfPictures() {
    EngineRequest text = tiny.sequence(3, 1, 7, 7, 7);
    EngineRequest seeing = showing(WIDE);
    StepPlan plan = new StepPlan();
    plan.add(text, 2, false);
    plan.add(seeing, 5, false);
    StepPictures pictures = new StepPictures(plan.parts());
    assertEquals(List.of(new Slice(WIDE, 2, 0, 3)), pictures.slices());
    assertArrayEquals(new long[] {4, 5, 6}, pictures.places());
    assertArrayEquals(
        new long[] {
          0, 1, 0, 1, 2, 2, 2, // time
          0, 1, 0, 1, 2, 2, 2, // height
          0, 1, 0, 1, 2, 3, 4 // width
        },
        pictures.positions());
    assertEquals(0, seeing.token(2), "the token of a picture is no word of the vocabulary");
  }

  /** The rest of the picture, and the word behind it, whose position is not its number. */
  @Test
  void theNextChunkShowsTheRest() {
    EngineRequest seeing = showing(WIDE);
    BlockPool pool = new BlockPool(8, 16, true);
    seeing.begin(List.of(), 0);
    seeing.advance(5, pool, 1);
    StepPlan plan = new StepPlan();
    plan.add(seeing, 4, true);
    StepPictures pictures = new StepPictures(plan.parts());
    assertEquals(List.of(new Slice(WIDE, 5, 3, 3)), pictures.slices());
    assertArrayEquals(new long[] {0, 1, 2}, pictures.places());
    assertArrayEquals(
        new long[] {
          2, 2, 2, 5, // time
          3, 3, 3, 5, // height
          2, 3, 4, 5 // width
        },
        pictures.positions());
    assertFalse(pictures.isEmpty());
  }

  @Test
  void textAloneHasNone() {
    StepPlan plan = new StepPlan();
    plan.add(tiny.sequence(3, 1, 7, 7, 7), 3, false);
    assertTrue(new StepPictures(plan.parts()).isEmpty());
  }

  @Test
  void onlyEqualPicturesHaveALeader() {
    StepPlan plan = new StepPlan();
    EngineRequest first = showing(WIDE);
    plan.add(first, PROMPT.length, false);
    assertSame(first, plan.leader(showing(WIDE)));
    assertNull(plan.leader(showing(OTHER)));
  }

  /** The words before the picture are found, what shows another picture is not. */
  @Test
  void blocksAreFoundByWhatTheyShow() {
    BlockPool pool = new BlockPool(8, 4, true);
    EngineRequest first = showing(WIDE);
    first.begin(List.of(), 0);
    for (int i = 0; i < 3; i++) {
      first.blocks().add(requireNonNull(pool.take()));
    }
    first.advance(PROMPT.length, pool, 1);
    first.leave(pool, 1);
    assertEquals(8, found(pool, showing(WIDE)));
    assertEquals(2, found(pool, showing(OTHER)));
    // what follows the picture is another one
    EngineRequest longer = tiny.showing(List.of(WIDE, OTHER), 3, twice());
    assertEquals(8, found(pool, longer));
  }

  private static int[] twice() {
    int[] twice = new int[14];
    Arrays.fill(twice, IMAGE);
    twice[0] = 1;
    twice[1] = 2;
    return twice;
  }

  private static int found(BlockPool pool, EngineRequest sequence) {
    int[] text = sequence.text();
    PrefixTree.Match match = pool.find(sequence.root(), text, text.length - 1, 2);
    return match.whole().size() * pool.blockSize() + match.count();
  }
}
