package roll.huggingface;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A part of a regular expression, with an upper bound of the steps of a backtracking matcher. */
sealed interface RegexNode {
  /** Repetitions above this number count as unbounded. */
  int MANY = 64;

  /**
   * Returns the effort if no repetition matches more than {@code run} characters.
   *
   * @param mayFail whether the rest may fail, so that alternatives are tried
   */
  RegexEffort effort(double run, boolean mayFail);

  /** Returns whether the regex node can fail. */
  boolean fails();

  /** Returns whether the regex node can match the empty text. */
  boolean empty();

  /** Returns the parts that contribute characters and repetitions. */
  default List<RegexNode> parts() {
    return List.of();
  }

  /**
   * Returns the regex node's characters as a class of {@link java.util.regex.Pattern}, or null for
   * any.
   */
  default @Nullable String characters() {
    StringBuilder all = new StringBuilder();
    for (RegexNode part : parts()) {
      String some = part.characters();
      if (some == null) {
        return null;
      }
      all.append(some);
    }
    return all.isEmpty() ? "" : "[" + all + "]";
  }

  /** Reports the characters of each unbounded repetition. */
  default void repeated(Consumer<@Nullable String> told) {
    parts().forEach(part -> part.repeated(told));
  }

  /** A single character of the regex node. */
  record One(@Nullable String characters) implements RegexNode {
    @Override
    public RegexEffort effort(double run, boolean mayFail) {
      return new RegexEffort(1, 1);
    }

    @Override
    public boolean fails() {
      return true;
    }

    @Override
    public boolean empty() {
      return false;
    }
  }

  /** A lookaround; without body an anchor. */
  record Look(@Nullable RegexNode body) implements RegexNode {
    @Override
    public RegexEffort effort(double run, boolean mayFail) {
      return new RegexEffort(1, body == null ? 1 : body.effort(run, false).steps());
    }

    @Override
    public boolean fails() {
      return true;
    }

    @Override
    public boolean empty() {
      return true;
    }

    @Override
    public String characters() {
      return "";
    }

    @Override
    public List<RegexNode> parts() {
      return body == null ? List.of() : List.of(body);
    }
  }

  /** A sequence of parts of a regular expression. */
  record Sequence(List<RegexNode> parts) implements RegexNode {
    @Override
    public RegexEffort effort(double run, boolean mayFail) {
      int last = parts.size();
      while (last > 0 && !parts.get(last - 1).fails()) {
        last--;
      }
      double ways = 1;
      double steps = 1;
      double failing = 1;
      for (int i = 0; i < parts.size(); i++) {
        boolean again = mayFail || i < last - 1;
        RegexEffort effort = parts.get(i).effort(run, again);
        double each = ways * (again ? effort.steps() : effort.failing());
        steps += each + (again ? 0 : effort.steps());
        failing += each;
        ways *= effort.ways();
      }
      return new RegexEffort(mayFail ? ways : 1, steps, failing);
    }

    @Override
    public boolean fails() {
      return parts.stream().anyMatch(RegexNode::fails);
    }

    @Override
    public boolean empty() {
      return parts.stream().allMatch(RegexNode::empty);
    }
  }

  /** An alternation of parts of a regular expression. */
  record Choice(List<RegexNode> parts) implements RegexNode {
    @Override
    public RegexEffort effort(double run, boolean mayFail) {
      double ways = 0;
      double steps = 0;
      double failing = 0;
      for (RegexNode part : parts) {
        RegexEffort effort = part.effort(run, mayFail);
        ways += effort.ways();
        steps += effort.steps();
        failing += effort.failing();
      }
      return new RegexEffort(mayFail ? ways : 1, steps, failing);
    }

    @Override
    public boolean fails() {
      return parts.stream().allMatch(RegexNode::fails);
    }

    @Override
    public boolean empty() {
      return parts.stream().anyMatch(RegexNode::empty);
    }
  }

  /** A repetition of a part of a regular expression. */
  record Repeat(RegexNode part, int least, int most) implements RegexNode {
    @Override
    public RegexEffort effort(double run, boolean mayFail) {
      if (most > MANY && part.empty()) {
        return new RegexEffort(RegexEffort.ENDLESS, RegexEffort.ENDLESS);
      }
      double times = most > MANY ? Math.max(least, Math.min(most, run)) : most;
      RegexEffort one = part.effort(run, mayFail || least > 1);
      double forced = least > 1 ? sum(one.ways(), least) : 0;
      double steps = one.steps() * (mayFail ? sum(one.ways(), times) : times + forced);
      double failing = least > 1 ? one.steps() * forced : least * one.failing();
      if (!mayFail) {
        return new RegexEffort(1, steps, failing + 1);
      }
      double ways = one.ways() <= 1 ? times - least + 1 : sum(one.ways(), times + 1);
      return new RegexEffort(ways, steps);
    }

    /** Returns 1 + ways + ways² + …, the number of trials of a repetition. */
    private static double sum(double ways, double times) {
      return ways <= 1 ? times : (Math.pow(ways, times) - 1) / (ways - 1);
    }

    @Override
    public boolean fails() {
      return least > 0 && part.fails();
    }

    @Override
    public boolean empty() {
      return least == 0 || part.empty();
    }

    @Override
    public @Nullable String characters() {
      return part.characters();
    }

    @Override
    public void repeated(Consumer<@Nullable String> told) {
      if (most > MANY) {
        told.accept(part.characters());
      }
      part.repeated(told);
    }
  }

  /** An atomic group, which keeps its first match and never backtracks. */
  record Atomic(RegexNode part) implements RegexNode {
    @Override
    public RegexEffort effort(double run, boolean mayFail) {
      RegexEffort effort = part.effort(run, false);
      return new RegexEffort(1, effort.steps(), mayFail ? effort.steps() : effort.failing());
    }

    @Override
    public boolean fails() {
      return part.fails();
    }

    @Override
    public boolean empty() {
      return part.empty();
    }

    @Override
    public @Nullable String characters() {
      return part.characters();
    }

    @Override
    public List<RegexNode> parts() {
      return List.of(part);
    }
  }
}
