package roll.api.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The program that plays the episodes of an environment by asking the policy ({@code
 * custom_envs.<tag>.agent_runner}).
 *
 * @param command the program and its arguments
 * @param environment variables that it has beside those of this process
 * @param timeout seconds that it may take for an episode, without the time in which it waits for an
 *     answer
 * @param processes how many processes play all episodes, each many at once; 0: one for each episode
 * @param deterministic whether a synchronous run answers when all episodes have asked, so that what
 *     is computed together depends on the data alone; otherwise nobody waits for the slowest
 */
public record AgentRunnerConfig(
    List<String> command,
    Map<String, String> environment,
    double timeout,
    int processes,
    boolean deterministic) {
  /** Copies the lists. */
  public AgentRunnerConfig {
    command = List.copyOf(command);
    environment = Map.copyOf(new LinkedHashMap<>(environment));
  }
}
