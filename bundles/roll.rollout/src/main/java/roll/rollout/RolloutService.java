package roll.rollout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.config.EnvConfig;
import roll.api.config.EnvManagerConfig;
import roll.api.config.Options;
import roll.api.config.ProxyConfig;
import roll.api.config.Suggestion;
import roll.api.config.UserException;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.model.Tokenizer;
import roll.api.pipeline.RolloutListener;
import roll.api.pipeline.RolloutRequest;
import roll.api.pipeline.RolloutResult;
import roll.api.pipeline.RolloutStream;
import roll.api.pipeline.Rollouts;
import roll.api.rollout.Agent;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.api.rollout.EnvManager;
import roll.api.rollout.GroupFilter;
import roll.api.rollout.Player;

/**
 * Plays rollouts with the environments and managers that are registered when a rollout begins: a
 * replaced one is used from the next rollout on.
 */
@Component(name = "roll.rollout")
public final class RolloutService implements Rollouts {
  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  private volatile List<Map.Entry<Map<String, Object>, Environment>> environments;

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  private volatile List<Map.Entry<Map<String, Object>, EnvManager>> managers;

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  private volatile List<Map.Entry<Map<String, Object>, GroupFilter>> filters;

  @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
  private volatile List<Map.Entry<Map<String, Object>, Agent>> agents;

  private final ChatFormats formats;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /** A service that knows no environment until the references are set. */
  @Activate
  public RolloutService(@Reference ChatFormats formats) {
    this(formats, List.of(), List.of(), List.of(), List.of());
  }

  /** A service with these plugins, each with its service properties. */
  RolloutService(
      ChatFormats formats,
      List<Map.Entry<Map<String, Object>, Environment>> environments,
      List<Map.Entry<Map<String, Object>, EnvManager>> managers,
      List<Map.Entry<Map<String, Object>, GroupFilter>> filters,
      List<Map.Entry<Map<String, Object>, Agent>> agents) {
    this.formats = formats;
    this.environments = environments;
    this.managers = managers;
    this.filters = filters;
    this.agents = agents;
  }

  @Override
  public void check(
      EnvManagerConfig envs,
      Map<String, EnvConfig> customEnvs,
      String template,
      Tokenizer tokenizer) {
    chat(template, tokenizer);
    stages(envs, customEnvs);
    filter(envs);
    Player player = player(envs.proxy());
    if (player != null) {
      player.close();
    }
  }

  /** Who plays in place of the policy, or null. */
  private @Nullable Player player(ProxyConfig proxy) {
    if (proxy.isPolicy()) {
      return null;
    }
    Agent agent =
        new Registry<>("roll.agent", agents)
            .find("llm_proxy.proxy_type", proxy.type(), ProxyConfig.POLICY.type());
    return agent.configure(Options.of("llm_proxy.proxy_config", proxy.options(), agent.options()));
  }

  private @Nullable GroupFilter filter(EnvManagerConfig envs) {
    return envs.groupFilter().equals("none")
        ? null
        : new Registry<>("roll.group.filter", filters).find("group_filter_cls", envs.groupFilter());
  }

  /** A chat template does not let the model think before it answers, as in ROLL. */
  private ChatFormat chat(String template, Tokenizer tokenizer) {
    try {
      return formats.find(template, tokenizer, Map.of("enable_thinking", false));
    } catch (UserException e) {
      throw new UserException("data_args.template: " + e.getMessage(), e);
    }
  }

  @Override
  public CompletableFuture<RolloutResult> play(RolloutRequest request, RolloutListener listener) {
    CompletableFuture<RolloutResult> result = new CompletableFuture<>();
    try {
      Map<String, Stage> stages = stages(request.envs(), request.customEnvs());
      ChatFormat chat = chat(request.template(), request.tokenizer());
      GroupFilter filter = filter(request.envs());
      Player player = player(request.envs().proxy());
      Play play = new Play(request, stages, chat, filter, Cast.of(player, listener));
      Thread thread = start("rollout " + request.purpose(), () -> complete(result, play, player));
      var unused = result.whenComplete((value, error) -> interruptIfCancelled(result, thread));
      return result;
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public RolloutStream stream(RolloutRequest request, double ahead, int steps) {
    Map<String, Stage> stages = stages(request.envs(), request.customEnvs());
    ChatFormat chat = chat(request.template(), request.tokenizer());
    return new Stream(request, ahead, steps, stages, chat, filter(request.envs()))
        .start(work -> start("rollout stream " + request.purpose(), work));
  }

  private Thread start(String name, Runnable work) {
    Runnable known =
        () -> {
          try {
            work.run();
          } finally {
            running.remove(Thread.currentThread());
          }
        };
    Thread thread = Thread.ofVirtual().name(name).unstarted(known);
    running.add(thread);
    thread.start();
    return thread;
  }

  private static void interruptIfCancelled(CompletableFuture<?> result, Thread thread) {
    if (result.isCancelled()) {
      thread.interrupt();
    }
  }

  private void complete(
      CompletableFuture<RolloutResult> result, Play play, @Nullable Player player) {
    try {
      result.complete(run(play, player));
    } catch (InterruptedException e) {
      result.completeExceptionally(new CancellationException("the rollout was interrupted"));
    } catch (Throwable e) { // nobody else would ever hear of it
      result.completeExceptionally(e);
    }
  }

  private static RolloutResult run(Play play, @Nullable Player player) throws InterruptedException {
    try (player) {
      return play.run();
    }
  }

  private Map<String, Stage> stages(EnvManagerConfig envs, Map<String, EnvConfig> customEnvs) {
    Registry<Environment> worlds = new Registry<>("roll.env", environments);
    Registry<EnvManager> players = new Registry<>("roll.env.manager", managers);
    Map<String, Stage> stages = new LinkedHashMap<>();
    for (String tag : envs.tags()) {
      EnvConfig config = customEnvs.get(tag);
      if (config == null) {
        throw new UserException(
            "tags: '"
                + tag
                + "' is not in custom_envs (allowed: "
                + String.join(", ", customEnvs.keySet())
                + ")"
                + Suggestion.near(tag, customEnvs.keySet()));
      }
      String where = "custom_envs." + tag;
      EnvManager manager = players.find(where + ".env_manager_cls", config.manager());
      manager.check(config);
      Environment world = worlds.find(where + ".env_type", config.envType());
      Scenario scenario =
          world.configure(Options.of(where + ".env_config", config.options(), world.options()));
      stages.put(tag, new Stage(config, scenario, manager));
    }
    return stages;
  }

  /** Ends the rollouts that still run; their futures fail. */
  @Deactivate
  void deactivate() {
    running.forEach(Thread::interrupt);
  }
}
