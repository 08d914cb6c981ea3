package roll.env.dataset;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.tool.ToolSchema;
import roll.bridge.PeerPools;

/** Questions that are answered with tools in the user's Python. */
record PythonScenario(Scenario questions, PythonTools python, PeerPools peers) implements Scenario {
  /** Fact for rewards: the attributes of the environment. */
  static final String ENVIRONMENTS = "environments";

  /**
   * Checks that the rows have the columns that the environment's reset requires.
   *
   * @throws UserException for the first that has not
   */
  PythonScenario {
    try (Stream<TaskInfo> tasks = questions.tasks()) {
      tasks.forEach(
          task ->
              python.needs().stream()
                  .filter(column -> !task.facts().containsKey(column))
                  .forEach(
                      column -> {
                        throw new UserException(
                            "%s: no column '%s', which reset of %s requires (it has: %s)"
                                .formatted(
                                    task.where(),
                                    column,
                                    python.name(),
                                    String.join(", ", task.facts().keySet())));
                      }));
    }
  }

  @Override
  public String instruction() {
    return questions.instruction();
  }

  @Override
  public List<ToolSchema> tools() {
    return python.tools();
  }

  @Override
  public Episode reset(long seed) {
    return PythonEpisode.of(questions.reset(seed), python, peers);
  }

  @Override
  public Episode reset(EpisodeStart start) {
    return PythonEpisode.of(questions.reset(start), python, peers);
  }

  @Override
  public Scenario fittingSeen(ToIntFunction<Observation> tokens, int most) {
    Scenario fitted = questions.fittingSeen(tokens, most);
    return fitted == questions ? this : new PythonScenario(fitted, python, peers);
  }

  @Override
  public Stream<TaskInfo> tasks() {
    return python.name().isEmpty()
        ? questions.tasks()
        : questions.tasks().map(PythonScenario::played);
  }

  private static TaskInfo played(TaskInfo task) {
    Map<String, Object> facts = new HashMap<>(task.facts());
    facts.put(ENVIRONMENTS, Map.of());
    return new TaskInfo(task.where(), facts);
  }

  @Override
  public void close() {
    questions.close();
  }
}
