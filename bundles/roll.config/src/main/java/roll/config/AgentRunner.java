package roll.config;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.Origins;

/**
 * ROLL's {@code agent_runner_cls}, which names what plays the episodes of an environment behind its
 * proxy. One of its classes has the policy answer observation after observation, as every
 * environment is played here; the others are programs of their own.
 */
final class AgentRunner {
  private static final String RUNNER = "agent_runner_cls";
  private static final String MANAGER = "env_manager_cls";

  private AgentRunner() {}

  /**
   * Replaces the runner of {@code environment}.
   *
   * @param path of the environment, with a dot at its end
   * @param notices to which a line for the user is added
   * @throws UserException if it is one that cannot be had here
   */
  static void translate(
      String path,
      Map<String, @Nullable Object> environment,
      Origins origins,
      Set<String> notices) {
    boolean proxy =
        environment.get(MANAGER) instanceof String name && name.endsWith(".ProxyEnvManager");
    if (!(environment.get(RUNNER) instanceof String runner)) {
      if (proxy && environment.get(RUNNER) == null) {
        throw new UserException(
            "%s: %s: ProxyEnvManager plays what %s names, and there is none; without an agent of its own an environment is played by trajectory"
                .formatted(origins.of(path + MANAGER), path + MANAGER, RUNNER));
      }
      return;
    }
    if (!runner.endsWith(".GEMRunner")) {
      throw new UserException(
          "%s: %s: %s is an agent outside of roll, which cannot be trained yet; GEMRunner has the policy play, and agent: {tools: …} gives it tools"
              .formatted(
                  origins.of(path + RUNNER),
                  path + RUNNER,
                  runner.substring(runner.lastIndexOf('.') + 1)));
    }
    environment.remove(RUNNER);
    if (proxy) {
      environment.put(MANAGER, "trajectory");
    }
    notices.add(
        "custom_envs.*.%s GEMRunner is read as %s trajectory: the policy answers each observation, without a proxy between"
            .formatted(RUNNER, MANAGER));
  }
}
