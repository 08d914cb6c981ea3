package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one step computes. */
final class StepPlan {
  private final List<Part> parts = new ArrayList<>();
  private final List<Follower> followers = new ArrayList<>();
  private final List<Copy> copies = new ArrayList<>();
  private final Map<Text, EngineRequest> leaders = new HashMap<>();
  private int tokens;
  private int passes = 1;

  /**
   * Some tokens of a sequence.
   *
   * @param from the first of them
   * @param count how many
   * @param draws whether the next token is drawn behind them
   * @param again whether what is before them was computed by steps before this one
   */
  record Part(EngineRequest sequence, int from, int count, boolean draws, boolean again) {
    /** Whether the sequence continues token by token. */
    boolean decodes() {
      return count == 1 && draws && again;
    }

    /** How many tokens behind these are computed in {@code passes} passes. */
    int ahead(int passes) {
      return Math.max(0, Math.min(passes, sequence.response().remaining()) - 1);
    }
  }

  /** A sequence that draws its first token behind the prompt of another, which is the same. */
  record Follower(EngineRequest sequence, EngineRequest leader) {}

  /** Before anything else, what is in one block is copied to another. */
  record Copy(Block from, Block to) {}

  /** Compares prompts by their tokens, what they show, and whose cache they use. */
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
   * The next {@code count} tokens of {@code sequence} are computed.
   *
   * @param again whether it took part in the step before
   */
  void add(EngineRequest sequence, int count, boolean again) {
    boolean draws = sequence.computed() + count == sequence.length();
    parts.add(new Part(sequence, sequence.computed(), count, draws, again));
    tokens += count;
    if (draws && sequence.response().size() == 0) {
      leaders.put(Text.of(sequence), sequence);
    }
  }

  /** Who computes the whole prompt of {@code sequence} in this step, if somebody does. */
  @Nullable EngineRequest leader(EngineRequest sequence) {
    return sequence.response().size() > 0 ? null : leaders.get(Text.of(sequence));
  }

  void follow(EngineRequest sequence, EngineRequest leader) {
    followers.add(new Follower(sequence, leader));
  }

  void copy(Block from, Block to) {
    copies.add(new Copy(from, to));
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

  /** Positions that are looked at. */
  int reach() {
    return parts.stream()
        .mapToInt(part -> part.from() + part.count() + part.ahead(passes))
        .max()
        .orElse(0);
  }

  /** Tokens computed. */
  int tokens() {
    return tokens;
  }

  /** How many tokens each sequence draws at most, one a pass. */
  int passes() {
    return passes;
  }

  /** Has it make {@code count} passes, for which there are rows and blocks. */
  void repeat(int count) {
    passes = count;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }
}
