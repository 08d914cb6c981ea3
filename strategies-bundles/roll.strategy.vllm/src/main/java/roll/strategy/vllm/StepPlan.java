package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The scheduled work of one step. */
final class StepPlan {
  private final List<Part> parts = new ArrayList<>();
  private final List<Follower> followers = new ArrayList<>();
  private final List<Copy> copies = new ArrayList<>();
  private final Map<Text, EngineRequest> leaders = new HashMap<>();
  private int tokens;
  private int passes = 1;

  /**
   * Scheduled tokens of a sequence.
   *
   * @param from first token
   * @param count number of tokens
   * @param draws whether the next token is sampled after them
   * @param again whether the earlier tokens were computed by earlier steps
   * @param proposed the last ones of {@code count} that are proposed: a token is sampled before
   *     each of them too
   */
  record Part(
      EngineRequest sequence, int from, int count, boolean draws, boolean again, int proposed) {
    /** Returns whether the sequence decodes in this step, without proposed tokens. */
    boolean decodes() {
      return count == 1 && draws && again;
    }

    /** Returns the number of tokens after these that {@code passes} passes compute. */
    int ahead(int passes) {
      return Math.max(0, Math.min(passes, sequence.response().remaining()) - 1);
    }
  }

  /** A sequence that samples its first token after the equal prompt of another. */
  record Follower(EngineRequest sequence, EngineRequest leader) {}

  /** A copy of one block to another, before all other work. */
  record Copy(Block from, Block to) {}

  /** The identity of a prompt: its cache keys and salt. */
  private record Text(long root, int[] tokens) {
    static Text of(EngineRequest sequence) {
      return new Text(sequence.root(), sequence.response().keys());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Text text
          && root == text.root
          && java.util.Arrays.equals(tokens, text.tokens);
    }

    @Override
    public int hashCode() {
      return java.util.Arrays.hashCode(tokens);
    }
  }

  /**
   * Schedules the next {@code count} tokens of {@code sequence}.
   *
   * @param again whether it was part of the previous step
   */
  void add(EngineRequest sequence, int count, boolean again) {
    boolean draws = sequence.computed() + count == sequence.length();
    parts.add(new Part(sequence, sequence.computed(), count, draws, again, 0));
    tokens += count;
    if (draws && sequence.response().size() == 0) {
      leaders.put(Text.of(sequence), sequence);
    }
  }

  /** Adds {@code count} proposed tokens to a decoding part. */
  void propose(int index, int count) {
    Part part = parts.get(index);
    parts.set(index, new Part(part.sequence(), part.from(), 1 + count, true, true, count));
    tokens += count;
  }

  /** Returns the sequence that computes the same whole prompt in this step, or null. */
  @Nullable EngineRequest leader(EngineRequest sequence) {
    return sequence.response().size() > 0 ? null : leaders.get(Text.of(sequence));
  }

  void follow(EngineRequest sequence, EngineRequest leader) {
    followers.add(new Follower(sequence, leader));
  }

  void copy(Block from, Block to) {
    copies.add(new Copy(from, to));
  }

  /** Returns the plan without its copies, which are made, and the parts of {@code done}. */
  StepPlan without(List<EngineRequest> done) {
    Set<EngineRequest> left = Set.copyOf(done);
    StepPlan rest = new StepPlan();
    rest.passes = passes;
    rest.followers.addAll(followers);
    for (Part part : parts) {
      if (!left.contains(part.sequence())) {
        rest.parts.add(part);
        rest.tokens += part.count();
      }
    }
    return rest;
  }

  List<Part> parts() {
    return parts;
  }

  List<Follower> followers() {
    return followers;
  }

  List<Copy> copies() {
    return copies;
  }

  /** Returns the number of positions that are read. */
  int reach() {
    return parts.stream()
        .mapToInt(part -> part.from() + part.count() + part.ahead(passes))
        .max()
        .orElse(0);
  }

  /** Returns the number of scheduled tokens. */
  int tokens() {
    return tokens;
  }

  /** Returns the number of passes, each of which samples one token of each sequence. */
  int passes() {
    return passes;
  }

  /** Sets the number of passes, for which there are rows and blocks. */
  void repeat(int count) {
    passes = count;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }
}
