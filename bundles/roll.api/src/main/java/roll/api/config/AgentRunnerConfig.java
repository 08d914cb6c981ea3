package roll.api.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An external program that plays the episodes of an environment by querying the policy ({@code
 * custom_envs.<tag>.agent_runner}).
 *
 * @param command the program and its arguments
 * @param environment variables added to those of this process
 * @param timeout time limit of an episode in seconds, excluding the time the program waits for
 *     responses
 * @param processes number of processes that play all episodes, each many at once; 0 starts one per
 *     episode
 * @param deterministic whether a synchronous run answers only when all episodes have sent a
 *     request, so that batches depend on the data alone; otherwise requests do not wait for the
 *     slowest episode
 * @param harness whether the program is an agent that knows nothing of episodes: it has a home and
 *     a working directory of its own, finds the task in its arguments, and prints no result
 * @param files contents of files by their path in the home; they, the command and the variables may
 *     have placeholders
 */
public record AgentRunnerConfig(
    List<String> command,
    Map<String, String> environment,
    double timeout,
    int processes,
    boolean deterministic,
    boolean harness,
    Map<String, String> files) {
  /** Creates an agent runner configuration with immutable copies of the lists. */
  public AgentRunnerConfig {
    command = List.copyOf(command);
    environment = Map.copyOf(new LinkedHashMap<>(environment));
    files = Map.copyOf(files);
  }

  /** Creates the configuration of a program that reads its task and prints its result. */
  public AgentRunnerConfig(
      List<String> command,
      Map<String, String> environment,
      double timeout,
      int processes,
      boolean deterministic) {
    this(command, environment, timeout, processes, deterministic, false, Map.of());
  }
}
