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
import roll.rollout.chat.BlindChatFormat;
import roll.rollout.prompt.FirstPrompt;
import roll.runtime.option.YamlOptions;

/**
 * What an episode is played again with, leased until it is closed: the world, here even if other
 * nodes played it, the environment manager and the agent type; no rewards and no tools.
 */
final class ReplaySetup implements AutoCloseable {
  private final List<Lease<?>> leases = new ArrayList<>();
  private final EnvManager manager;
  private final Scenario scenario;
  private final @Nullable AgentType agent;

  /**
   * For {@code config}.
   *
   * @param model of the run
   * @param sequenceLength most tokens of an episode
   * @param own whether the run is of this process
   * @throws UserException naming what is missing or wrong
   */
  ReplaySetup(Plugins plugins, EnvConfig config, ModelChat model, int sequenceLength, boolean own) {
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
            "%s: '%s' may start programs, ask servers or read files, so it is played again only while its run is of this process"
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
      scenario = fitting(world.configure(options), config, model, sequenceLength);
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

  /** The world without the episodes whose prompt was too long, if its options ask for that. */
  private Scenario fitting(Scenario whole, EnvConfig config, ModelChat model, int sequenceLength) {
    int limit = config.prompts().limit().most();
    if (limit == 0 && model.unnamed()) {
      return whole; // nothing limited them
    }
    return whole.fittingSeen(
        seen ->
            FirstPrompt.of(
                    config,
                    whole,
                    measured(config),
                    BlindChatFormat.where(model.format()),
                    config.limits().maxTokensPerStep())
                .whole(seen)
                .length,
        limit > 0 ? limit : sequenceLength - 1);
  }

  /** What calls tools, as far as it takes to measure prompts. */
  private @Nullable AgentTools measured(EnvConfig config) {
    if (agent == null || config.agent() == null) {
      return null;
    }
    List<ToolSet> tools =
        config.agent().tools().isEmpty() ? List.of() : List.of(new Unasked(config.tag()));
    return new AgentTools(config.agent(), agent, tools);
  }

  /** Tools whose descriptions count, and which are not asked. */
  private record Unasked(String tag) implements ToolSet {
    @Override
    public List<ToolSchema> tools() {
      throw new UserException(
          "custom_envs.%s: which episodes there are depends on what its tools say of themselves, and they are not asked when one is played again"
              .formatted(tag));
    }

    @Override
    public ToolSession open(long seed) {
      return (tool, arguments) -> {
        throw new UnsupportedOperationException(tool + Map.copyOf(arguments));
      };
    }
  }

  /** How an episode is played. */
  EnvManager manager() {
    return manager;
  }

  /** Its world. */
  Scenario scenario() {
    return scenario;
  }

  /** How tools are called, or null where there are none. */
  @Nullable AgentType agent() {
    return agent;
  }

  /** Gives all back. */
  @Override
  public void close() {
    leases.forEach(Lease::close);
  }
}
