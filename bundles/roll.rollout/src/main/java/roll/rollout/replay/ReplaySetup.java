package roll.rollout.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.agent.AgentType;
import roll.api.config.EnvConfig;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.rollout.EnvManager;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.rollout.chat.TextOnlyChatFormat;
import roll.rollout.prompt.FirstPrompt;
import roll.runtime.option.YamlOptions;

/**
 * The plugins of a replay, leased until closed: environment, environment manager and agent type; no
 * rewards and no tools. The environment runs in this process, even if the recorded one ran on
 * another node.
 */
final class ReplaySetup implements AutoCloseable {
  private final List<Lease<?>> leases = new ArrayList<>();
  private final EnvManager manager;
  private final Scenario scenario;
  private final @Nullable Scenario whole;
  private final @Nullable AgentType agent;

  /**
   * Leases the plugins of {@code config}.
   *
   * @param model chat format of the run
   * @param sequenceLength maximum tokens of an episode
   * @param own whether the run belongs to this process
   * @throws UserException naming what is missing or wrong
   */
  ReplaySetup(
      Plugins plugins, EnvConfig config, RunChatFormat model, int sequenceLength, boolean own) {
    String where = "custom_envs." + config.tag();
    try {
      manager =
          lease(
              plugins,
              where + ".env_manager_cls",
              EnvManager.class,
              "roll.env.manager",
              config.manager());
      Environment world =
          lease(plugins, where + ".env_type", Environment.class, "roll.env", config.envType());
      Options options =
          YamlOptions.checked(where + ".env_config", config.options(), world.options());
      if (!own && !world.safeToReplay(options)) {
        throw new UserException(
            "%s: '%s' may start programs, query servers or read files, so only episodes of this process can be replayed"
                .formatted(where, config.envType()));
      }
      agent =
          config.agent() == null
              ? null
              : lease(
                  plugins,
                  where + ".agent.agent_type",
                  AgentType.class,
                  "roll.agent.type",
                  config.agent().type());
      whole = world.configure(options);
      if (!whole.tools().isEmpty()) {
        throw new UserException(
            where + ": episodes that execute tools of their environment cannot be replayed");
      }
      scenario = fitting(whole, config, model, sequenceLength);
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private <T> T lease(Plugins plugins, String where, Class<T> type, String kind, String name) {
    Lease<T> lease = plugins.require(where, type, kind, name);
    leases.add(lease);
    return lease.service();
  }

  /**
   * Returns the environment without episodes whose prompt is too long, if its options filter them.
   */
  private Scenario fitting(
      Scenario whole, EnvConfig config, RunChatFormat model, int sequenceLength) {
    int limit = config.prompts().limit().most();
    if (limit == 0 && model.unnamed()) {
      return whole; // no limit
    }
    return whole.fittingSeen(
        seen ->
            new FirstPrompt(
                    config,
                    whole.instruction(),
                    measured(config),
                    TextOnlyChatFormat.unlessVision(model.format()),
                    config.limits().maxTokensPerStep())
                .whole(seen)
                .length,
        limit > 0 ? limit : sequenceLength - 1);
  }

  /** Returns the tools as needed to measure prompts. */
  private @Nullable AgentTools measured(EnvConfig config) {
    if (agent == null || config.agent() == null) {
      return null;
    }
    List<ToolSet> tools =
        config.agent().tools().isEmpty() ? List.of() : List.of(new UnavailableTools(config.tag()));
    return new AgentTools(config.agent(), agent, tools);
  }

  /** Placeholder tools; a prompt that lists them cannot be measured. */
  private record UnavailableTools(String tag) implements ToolSet {
    @Override
    public List<ToolSchema> tools() {
      throw new UserException(
          "custom_envs.%s: the prompt length filter depends on the descriptions of its tools, which a replay does not load"
              .formatted(tag));
    }

    @Override
    public ToolSession open(long seed) {
      return (tool, arguments) -> {
        throw new UnsupportedOperationException(tool + Map.copyOf(arguments));
      };
    }
  }

  /** Returns the environment manager of the replay setup. */
  EnvManager manager() {
    return manager;
  }

  /** Returns the environment of the replay setup. */
  Scenario scenario() {
    return scenario;
  }

  /** Returns the agent type, or null without tools. */
  @Nullable AgentType agent() {
    return agent;
  }

  /** Closes the leases of the replay setup. */
  @Override
  public void close() {
    if (whole != null) {
      whole.close();
    }
    leases.forEach(Lease::close);
  }
}
