package roll.config.roll;

import roll.api.option.UserException;

/**
 * Translates ROLL's {@code agent_runner_cls}, the program that plays the episodes of an environment
 * behind its proxy. One of its classes has the policy answer observation after observation, as
 * every environment is played here; in place of the others {@code agent_runner} names a program.
 */
final class AgentRunner {
  private static final String RUNNER = "agent_runner_cls";
  private static final String MANAGER = "env_manager_cls";
  private static final String PROGRAM = "agent_runner";

  private AgentRunner() {}

  /**
   * Replaces ROLL's agent runner of {@code environment}.
   *
   * @throws UserException if it is one that cannot be had here
   */
  static void translate(EnvironmentSection environment) {
    boolean proxy =
        environment.get(MANAGER) instanceof String name && name.endsWith(".ProxyEnvManager");
    boolean program = environment.get(PROGRAM) != null;
    if (program && (proxy || environment.get(MANAGER) == null)) {
      environment.put(MANAGER, "program");
    }
    if (!(environment.get(RUNNER) instanceof String runner)) {
      if (proxy && !program && environment.get(RUNNER) == null) {
        throw environment.wrong(
            MANAGER,
            "ProxyEnvManager plays what %s names, and there is none; agent_runner: {command: […]} names a program that plays, without one an environment is played by trajectory"
                .formatted(RUNNER));
      }
      return;
    }
    String cls = runner.substring(runner.lastIndexOf('.') + 1);
    if (program) {
      environment.remove(RUNNER);
      environment
          .notices()
          .add(
              "custom_envs.*.%s %s is read as agent_runner: the program that its command starts plays"
                  .formatted(RUNNER, cls));
      return;
    }
    if (!cls.equals("GEMRunner")) {
      throw environment.wrong(
          RUNNER,
          "%s is Python that runs in ROLL's process; agent_runner: {command: […]} starts a program that plays by OpenAI's interface, GEMRunner has the policy play"
              .formatted(cls));
    }
    environment.remove(RUNNER);
    if (proxy) {
      environment.put(MANAGER, "trajectory");
    }
    environment
        .notices()
        .add(
            "custom_envs.*.%s GEMRunner is read as %s trajectory: the policy answers each observation, without a proxy between"
                .formatted(RUNNER, MANAGER));
  }
}
