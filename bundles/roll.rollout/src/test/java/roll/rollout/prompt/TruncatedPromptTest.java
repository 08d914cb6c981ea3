package roll.rollout.prompt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.image.Picture;

/** Cutting never goes through a picture. */
@NullMarked
class TruncatedPromptTest {
  private static final int IMAGE = 9;

  private static Picture picture(int number) {
    return Picture.of(new byte[] {(byte) number});
  }

  private static TruncatedPrompt prompt() {
    return new TruncatedPrompt(
        new int[] {1, 9, 9, 9, 2, 3, 9, 9, 4, 5}, List.of(picture(0), picture(1)));
  }

  private static void kept(int head, int tail, int[] tokens, int... pictures) {
    TruncatedPrompt cut = prompt().keep(head, tail, IMAGE);
    assertArrayEquals(tokens, cut.tokens());
    assertEquals(
        Arrays.stream(pictures).mapToObj(TruncatedPromptTest::picture).toList(), cut.pictures());
  }

  @Test
  void aPictureIsKeptOrDroppedWhole() {
    kept(10, 0, prompt().tokens(), 0, 1);
    kept(5, 5, prompt().tokens(), 0, 1);
    kept(7, 0, new int[] {1, 9, 9, 9, 2, 3}, 0);
    kept(3, 0, new int[] {1});
    kept(0, 7, new int[] {2, 3, 9, 9, 4, 5}, 1);
    kept(0, 3, new int[] {4, 5});
    kept(4, 4, new int[] {1, 9, 9, 9, 4, 5}, 0);
    kept(5, 4, new int[] {1, 9, 9, 9, 2, 9, 9, 4, 5}, 0, 1);
    kept(0, 0, new int[0]);
  }

  @Test
  void whateverIsCutRunsArePictures() {
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 2000; trial++) {
      List<Integer> tokens = new ArrayList<>();
      List<Picture> pictures = new ArrayList<>();
      List<Integer> lengths = new ArrayList<>();
      while (random.nextInt(6) > 0) {
        for (int i = random.nextInt(1, 4); i > 0; i--) {
          tokens.add(random.nextInt(9));
        }
        if (random.nextBoolean()) {
          lengths.add(random.nextInt(1, 6));
          pictures.add(picture(pictures.size()));
          for (int i = 0; i < lengths.getLast(); i++) {
            tokens.add(IMAGE);
          }
        }
      }
      int[] all = tokens.stream().mapToInt(Integer::intValue).toArray();
      int head = random.nextInt(all.length + 1);
      int tail = random.nextInt(all.length + 1 - head);
      TruncatedPrompt cut = new TruncatedPrompt(all, pictures).keep(head, tail, IMAGE);
      assertTrue(cut.tokens().length <= head + tail);
      List<Integer> runs = new ArrayList<>();
      for (int i = 0; i < cut.tokens().length; i++) {
        if (cut.tokens()[i] == IMAGE) {
          boolean more = i > 0 && cut.tokens()[i - 1] == IMAGE;
          runs.add(more ? runs.removeLast() + 1 : 1);
        }
      }
      assertEquals(
          cut.pictures().stream().map(p -> lengths.get(p.data()[0])).toList(), runs, "" + tokens);
    }
  }
}
