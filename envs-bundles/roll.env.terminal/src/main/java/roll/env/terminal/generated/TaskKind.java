package roll.env.terminal.generated;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The kinds of generated tasks, the simplest first. */
public enum TaskKind {
  /** A word to replace in one of two files. */
  EDIT,
  /** A file to find by a word in it. */
  FIND,
  /** A program of twenty lines with one wrong line. */
  MEND,
  /** A failing test of a function without a body. */
  TEST;

  /** Returns the names of all kinds, as in configurations. */
  public static List<String> names() {
    return Stream.of(values()).map(TaskKind::word).toList();
  }

  /** Returns the name in configurations. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns a task of this kind. */
  public GeneratedTask make(RandomGenerator random) {
    return switch (this) {
      case EDIT -> EditTask.make(random);
      case FIND -> FindTask.make(random);
      case MEND -> MendTask.make(random);
      case TEST -> TestTask.make(random);
    };
  }
}
