package roll.env.terminal.task;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A task.
 *
 * @param name of its folder
 * @param instruction what the agent is asked
 * @param start the workspace at the beginning
 * @param environment variables of the agent's commands
 * @param time maximum time of all calls of the agent
 * @param verifier the tests
 * @param demonstration calls of an expert as {@code roll.rollout} plays them; empty if unknown
 */
public record TerminalTask(
    String name,
    String instruction,
    TaskStart start,
    Map<String, String> environment,
    Duration time,
    TaskVerifier verifier,
    List<Object> demonstration) {
  /** Copies the collections. */
  public TerminalTask {
    environment = Map.copyOf(environment);
    demonstration = List.copyOf(demonstration);
  }

  /**
   * The tests of a task.
   *
   * @param folder with {@code test.sh}
   * @param environment additional variables
   * @param time maximum time
   */
  public record TaskVerifier(Path folder, Map<String, String> environment, Duration time) {
    /** Copies the variables. */
    public TaskVerifier {
      environment = Map.copyOf(environment);
    }
  }
}
