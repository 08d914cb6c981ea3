package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.api.image.Picture;

/**
 * A prompt that can be truncated. A picture is kept with all of its tokens or dropped.
 *
 * @param tokens in order
 * @param pictures pictures in the order of their image tokens
 */
record TruncatedPrompt(int[] tokens, List<Picture> pictures) {
  /**
   * Returns the first {@code head} and the last {@code tail} tokens, or all if there are not more.
   */
  TruncatedPrompt keep(int head, int tail, int imageToken) {
    if (head + tail >= tokens.length) {
      return this;
    }
    boolean[] kept = new boolean[tokens.length];
    Arrays.fill(kept, 0, head, true);
    Arrays.fill(kept, tokens.length - tail, tokens.length, true);
    List<Picture> shown = new ArrayList<>();
    int number = 0;
    boolean behindPicture = false;
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] != imageToken || number == pictures.size()) {
        behindPicture &= !kept[i];
        continue;
      }
      int end = end(i, imageToken);
      // two adjacent pictures could not be distinguished
      if (!behindPicture && allKept(kept, i, end)) {
        shown.add(pictures.get(number));
        behindPicture = true;
      } else {
        Arrays.fill(kept, i, end, false);
      }
      number++;
      i = end - 1;
    }
    return new TruncatedPrompt(these(kept), List.copyOf(shown));
  }

  /** Returns the end of the run of image tokens at {@code start}. */
  private int end(int start, int imageToken) {
    int end = start;
    while (end < tokens.length && tokens[end] == imageToken) {
      end++;
    }
    return end;
  }

  private static boolean allKept(boolean[] kept, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!kept[i]) {
        return false;
      }
    }
    return true;
  }

  private int[] these(boolean[] kept) {
    int[] left = new int[tokens.length];
    int count = 0;
    for (int i = 0; i < tokens.length; i++) {
      if (kept[i]) {
        left[count++] = tokens[i];
      }
    }
    return Arrays.copyOf(left, count);
  }
}
