package roll.strategy.hf_infer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import roll.sampling.PromptPictures;
import roll.sampling.ResponseState;

/** The pictures of a {@link PrefillPlan} for the function {@code prefill}. */
final class PrefillPictures {
  private final PrefillPlan plan;
  private final List<@Nullable PromptPictures> rows = new ArrayList<>();
  private final List<PromptPictures.Slice> slices = new ArrayList<>();
  private final LongStream.Builder places = LongStream.builder();
  private final LongStream.Builder ends = LongStream.builder();

  private PrefillPictures(PrefillPlan plan) {
    this.plan = plan;
  }

  /**
   * Collects the pictures of {@code responses}.
   *
   * @param plan of their prompts, in this order
   */
  static PrefillPictures of(PrefillPlan plan, List<ResponseState> responses) {
    PrefillPictures pictures = new PrefillPictures(plan);
    plan.rows().forEach(row -> pictures.rows.add(null));
    for (int i = 0; i < responses.size(); i++) {
      pictures.rows.set(plan.rowOf(i), responses.get(i).pictures());
    }
    if (!pictures.isEmpty()) {
      pictures.place();
    }
    return pictures;
  }

  /** Returns whether no prompt has pictures. */
  boolean isEmpty() {
    return rows.stream().allMatch(row -> row == null);
  }

  /** Finds the placeholders of each block, as indices of its tokens, including padding. */
  private void place() {
    long[] blocks = plan.blocks();
    int count = 0;
    int begin = 0;
    for (int block = 0; block < blocks.length; block += 2) {
      int end = (int) blocks[block];
      int longest = plan.rows().get(end - 1).count();
      for (int row = begin; row < end; row++) {
        count += place(row, (row - begin) * longest);
      }
      ends.add(count).add(slices.size());
      begin = end;
    }
  }

  /**
   * Finds the placeholders of {@code row}, whose first token has index {@code first} in its block.
   */
  private int place(int row, int first) {
    PromptPictures pictures = rows.get(row);
    if (pictures == null) {
      return 0;
    }
    int past = plan.rows().get(row).past();
    int count = 0;
    for (PromptPictures.Slice slice : pictures.slices(past, past + plan.rows().get(row).count())) {
      slices.add(slice);
      for (int i = 0; i < slice.count(); i++) {
        places.add(first + slice.token() - past + i);
      }
      count += slice.count();
    }
    return count;
  }

  /** Returns the slices of pictures, block by block. */
  List<PromptPictures.Slice> slices() {
    return slices;
  }

  /** Returns the indices of the placeholders in their blocks. */
  long[] places() {
    return places.build().toArray();
  }

  /** Returns the ends of each block's placeholders and slices; empty without pictures. */
  long[] ends() {
    return ends.build().toArray();
  }

  /** Returns the positions of the tokens to run in time, height and width, [3 × rows × longest]. */
  long[] positions() {
    int longest = plan.longest();
    int tokens = rows.size() * longest;
    long[] positions = new long[3 * tokens];
    for (int row = 0; row < rows.size(); row++) {
      PromptPictures pictures = rows.get(row);
      int past = plan.rows().get(row).past();
      for (int i = 0; i < plan.rows().get(row).count(); i++) {
        for (int axis = 0; axis < 3; axis++) {
          positions[axis * tokens + row * longest + i] =
              pictures == null ? past + i : pictures.position(axis, past + i);
        }
      }
    }
    return positions;
  }
}
