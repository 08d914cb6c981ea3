package roll.sampling;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.FakeImageProcessor.IMAGE;
import static roll.testkit.FakeImageProcessor.picture;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.image.Picture;
import roll.testkit.FakeImageProcessor;
import roll.torch.vision.PicturePatches;

/** Prompts that show pictures: places, positions, and what caches compare. */
final class PictureCatalogTest {
  /** Two words, a picture of 2 by 3 squares, a word, a picture of one square, a word. */
  private static final int[] PROMPT = {1, 2, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, 3, IMAGE, 4};

  private static final Picture WIDE = picture(2, 3, 5);
  private static final Picture SMALL = picture(1, 1, 6);

  private final FakeImageProcessor processor = new FakeImageProcessor();
  private final PictureCatalog catalog =
      new PictureCatalog(
          FakeImageProcessor.VISION,
          new PicturePatches(FakeImageProcessor.VISION, () -> processor));

  private PictureCatalog.Shown look(int[] prompt, Picture... pictures) {
    return requireNonNull(catalog.look(prompt, List.of(pictures)));
  }

  @Test
  void aTokenOfAPictureIsThePicturesNumber() {
    int[] keys = look(PROMPT, WIDE, SMALL).keys();
    assertArrayEquals(new int[] {1, 2, -1, -1, -1, -1, -1, -1, 3, -2, 4}, keys);
    assertArrayEquals(keys, look(PROMPT, WIDE, picture(1, 1, 6)).keys());
    assertArrayEquals(
        new int[] {1, 2, -1, -1, -1, -1, -1, -1, 3, -3, 4},
        look(PROMPT, WIDE, picture(1, 1, 7)).keys());
    assertEquals(3, processor.processed(), "a picture that is known is not looked at again");
  }

  @Test
  void whatStandsBehindPicturesGoesOn() {
    PromptPictures shown = look(PROMPT, WIDE, SMALL).pictures();
    int[][] positions = new int[3][PROMPT.length + 2];
    for (int axis = 0; axis < 3; axis++) {
      for (int i = 0; i < positions[axis].length; i++) {
        positions[axis][i] = shown.position(axis, i);
      }
    }
    assertArrayEquals(new int[] {0, 1, 2, 2, 2, 2, 2, 2, 5, 6, 7, 8, 9}, positions[0]);
    assertArrayEquals(new int[] {0, 1, 2, 2, 2, 3, 3, 3, 5, 6, 7, 8, 9}, positions[1]);
    assertArrayEquals(new int[] {0, 1, 2, 3, 4, 2, 3, 4, 5, 6, 7, 8, 9}, positions[2]);
    assertEquals(-3, shown.shift());
  }

  @Test
  void chunksMayCutPictures() {
    PromptPictures shown = look(PROMPT, WIDE, SMALL).pictures();
    assertEquals(List.of(), shown.slices(0, 2));
    assertEquals(List.of(new PromptPictures.Slice(WIDE, 2, 0, 2)), shown.slices(0, 4));
    assertEquals(
        List.of(new PromptPictures.Slice(WIDE, 4, 2, 4), new PromptPictures.Slice(SMALL, 9, 0, 1)),
        shown.slices(4, 11));
    assertEquals(List.of(new PromptPictures.Slice(WIDE, 4, 2, 1)), shown.slices(4, 5));
  }

  @Test
  void textAloneIsNothing() {
    assertNull(catalog.look(new int[] {1, 2}, List.of()));
  }

  private String refused(int[] prompt, Picture... pictures) {
    return userError(() -> look(prompt, pictures));
  }

  @Test
  void placesAndPicturesThatDoNotFitAreRefused() {
    assertEquals(
        "prompt: token 9 is an image placeholder, but there are only 1 pictures",
        refused(PROMPT, WIDE));
    assertEquals("prompt: 1 pictures, but placeholders for 0", refused(new int[] {1, 2}, SMALL));
    assertEquals(
        "prompt: picture 1 has 6 tokens, but 1 placeholders",
        refused(new int[] {1, IMAGE, 2}, WIDE, SMALL));
    Picture broken = picture(0, 3, 1);
    assertTrue(refused(PROMPT, broken, SMALL).startsWith("picture " + broken + ": is broken"));
  }
}
