package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import roll.sampling.PromptPictures;

/**
 * The pictures of a step for {@code step.py}: a chunk of a prompt may begin and end within a
 * picture.
 */
final class StepPictures {
  private final List<StepPlan.Part> parts;
  private final int tokens;
  private final List<PromptPictures.Slice> slices = new ArrayList<>();
  private final LongStream.Builder places = LongStream.builder();
  private final boolean none;

  /**
   * Collects the pictures of {@code parts}.
   *
   * @param parts in the order of the step's tokens
   */
  StepPictures(List<StepPlan.Part> parts) {
    this.parts = parts;
    this.tokens = parts.stream().mapToInt(StepPlan.Part::count).sum();
    this.none = parts.stream().allMatch(part -> part.sequence().response().pictures() == null);
    int first = 0;
    for (StepPlan.Part part : parts) {
      place(part, first);
      first += part.count();
    }
  }

  private void place(StepPlan.Part part, int first) {
    PromptPictures pictures = part.sequence().response().pictures();
    if (pictures == null) {
      return;
    }
    for (PromptPictures.Slice slice : pictures.slices(part.from(), part.from() + part.count())) {
      slices.add(slice);
      for (int i = 0; i < slice.count(); i++) {
        places.add(first + slice.token() - part.from() + i);
      }
    }
  }

  /** Returns whether no sequence has pictures. */
  boolean isEmpty() {
    return none;
  }

  /** Returns the slices of pictures, in the order of the tokens. */
  List<PromptPictures.Slice> slices() {
    return slices;
  }

  /** Returns the indices of the image placeholders. */
  long[] places() {
    return places.build().toArray();
  }

  /** Returns the positions of all tokens in time, height and width, [3 × tokens]. */
  long[] positions() {
    long[] positions = new long[3 * tokens];
    int token = 0;
    for (StepPlan.Part part : parts) {
      PromptPictures pictures = part.sequence().response().pictures();
      for (int i = part.from(); i < part.from() + part.count(); i++, token++) {
        for (int axis = 0; axis < 3; axis++) {
          positions[axis * tokens + token] = pictures == null ? i : pictures.position(axis, i);
        }
      }
    }
    return positions;
  }
}
