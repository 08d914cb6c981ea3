package roll.huggingface;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a regular expression, and how many steps a backtracking matcher takes for it at most.
 * The numbers are upper bounds: what cannot be seen from the expression alone counts as taken.
 */
sealed interface RegexNode {
  /** More repetitions than these are as many as the text allows. */
  int MANY = 64;

  /**
   * The effort where no repetition finds more than {@code run} characters.
   *
   * @param mayFail whether what follows may fail, so that other ways are tried
   */
  RegexEffort effort(double run, boolean mayFail);

  /** Whether it can fail. */
  boolean fails();

  /** Whether it can match nothing. */
  boolean empty();

  /** The parts whose characters and repetitions are its own. */
  default List<RegexNode> parts() {
    return List.of();
  }

  /** Its characters as a class of {@link java.util.regex.Pattern}, or null where all may be. */
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

  /** Tells the characters of each repetition that is as long as the text allows. */
  default void repeated(Consumer<@Nullable String> told) {
    parts().forEach(part -> part.repeated(told));
  }

  /** One character. */
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

  /** A look at what is before or behind; no body: an anchor. */
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

  /** Parts one after the other. */
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

  /** One of several parts. */
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

  /** A part several times. */
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

    /** 1 + ways + ways² and so on: how often a repetition is tried. */
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

  /** A part that keeps the first way it finds. */
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
