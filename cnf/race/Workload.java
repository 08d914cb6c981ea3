import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The sizes of a step, in tokens.
 *
 * @param questions number of groups
 * @param group episodes of a group, and samples of a micro-batch
 * @param prompt tokens of the first prompt
 * @param response tokens of each response
 * @param shown tokens that a game shows between responses
 */
record Workload(
    String name, int questions, int group, int prompt, int turns, int response, int shown) {
  /**
   * Tokens of a message beside its words: begin, role, end; and those that a response begins with.
   */
  private static final int MARKS = 3;

  private static final int BEGIN = 2;

  /** Words of a lake of four rows. */
  private static final int ROWS = 4;

  /** Returns the workloads of the race, or small ones of the same kind. */
  static List<Workload> all(boolean quick) {
    return quick
        ? List.of(
            new Workload("short", 2, 4, 20, 1, 8, 0),
            new Workload("long", 1, 4, 128, 1, 8, 0),
            new Workload("game", 2, 4, 40, 3, 8, 16))
        : List.of(
            new Workload("short", 4, 8, 100, 1, 128, 0),
            new Workload("long", 2, 8, 1024, 1, 128, 0),
            new Workload("game", 2, 8, 100, 6, 32, 32));
  }

  int samples() {
    return questions * group;
  }

  boolean game() {
    return turns > 1;
  }

  /** Returns the most tokens that follow the first prompt. */
  int total() {
    return turns * response + (turns - 1) * (shown + MARKS + BEGIN + 1);
  }

  /** Returns the system message of a game. */
  String system() {
    return words(0, prompt - shown - 2 * MARKS - BEGIN);
  }

  /** Returns what a game shows beside the lake. */
  String hint() {
    return words(5, shown - ROWS);
  }

  /** Returns what TRL's game shows: a word more, as TRL adds no end to a response that has none. */
  String observation() {
    return "P___ _O__ __O_ ___G " + words(5, shown - ROWS + 1);
  }

  /** Returns the questions as JSON lines; those of a game are its first prompts for TRL. */
  String rows() {
    return IntStream.range(0, questions).mapToObj(this::row).collect(Collectors.joining("\n"));
  }

  private String row(int question) {
    String lake = String.join(" ", Collections.nCopies(ROWS, lakeRow(question)));
    return game()
        ? """
        {"messages": [{"role": "system", "content": "%s"}, {"role": "user", "content": "%s %s"}]}\
        """
            .formatted(system(), lake, hint())
        : """
        {"messages": [{"role": "user", "content": "%s"}]}\
        """
            .formatted(words(11 * question + 1, prompt - MARKS - BEGIN));
  }

  private static String lakeRow(int question) {
    return "P___".substring(0, question % 4 + 1) + "O".repeat(3 - question % 4);
  }

  private static String words(int first, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "w" + (7 * i + first) % 500)
        .collect(Collectors.joining(" "));
  }
}
