package roll.rollout;

import java.nio.file.Path;
import java.util.Arrays;
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
import roll.api.agent.AgentTools;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.api.plugin.Plugins;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.rollout.chat.TextOnlyChatFormat;
import roll.rollout.schedule.AsyncRollout;
import roll.rollout.schedule.RolloutHooks;
import roll.rollout.schedule.SyncRollout;
import roll.rollout.setup.EnvSetup;
import roll.rollout.setup.FirstTurnCheck;
import roll.rollout.setup.PromptLengthFilter;
import roll.rollout.setup.RolloutChatFormats;
import roll.rollout.setup.RolloutSetup;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutListener;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;
import roll.runtime.pipeline.Rollouts;

/**
 * Plays the episodes of rollouts with a policy or agent. Each uses the environments and managers
 * registered when it begins; a replaced one takes effect with the next rollout.
 */
@Component(name = "roll.rollout")
public final class RolloutService implements Rollouts {
  private final ChatFormats formats;
  private final Plugins plugins;
  private final PromptLengthFilter lengthFilter = new PromptLengthFilter();
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /** Creates a service that leases from {@code plugins}. */
  @Activate
  public RolloutService(@Reference ChatFormats formats, @Reference Plugins plugins) {
    this.formats = formats;
    this.plugins = plugins;
  }

  @Override
  public void check(
      EnvManagerConfig envs,
      Map<String, EnvConfig> customEnvs,
      String template,
      Tokenizer tokenizer,
      int sequenceLength,
      Map<String, Object> chatTemplateKwargs) {
    ChatFormat chat = chat(template, tokenizer, chatTemplateKwargs);
    var measure =
        new PromptLengthFilter.Measure(
            chat, tokenizer, template, chatTemplateKwargs, sequenceLength);
    try (RolloutSetup setup = RolloutSetup.of(plugins, envs, customEnvs, lengthFilter, measure)) {
      setup.environments().values().forEach(env -> check(env, chat));
      if (sequenceLength < Integer.MAX_VALUE) {
        boolean agent = setup.player() != null;
        FirstTurnCheck first =
            new FirstTurnCheck(
                agent ? TextOnlyChatFormat.unlessVision(chat) : chat,
                tokenizer,
                envs.sampling(),
                sequenceLength,
                agent || chat.imageToken() >= 0);
        setup.environments().values().forEach(first::check);
      }
    }
  }

  private static void check(EnvSetup env, ChatFormat chat) {
    listsTools(env, chat);
    showsResults(env, chat);
    env.checkAnswers();
  }

  /** Renders the tools once, so that a chat format without tools is refused before a rollout. */
  private static void listsTools(EnvSetup env, ChatFormat chat) {
    AgentTools agent = env.agent();
    if (agent != null && !agent.listed().isEmpty()) {
      try {
        var unused = chat.opening(List.of(new Message("user", "?")), agent.listed());
      } catch (UserException e) {
        throw new UserException(
            "custom_envs." + env.config().tag() + ".agent.agent_type: " + e.getMessage(), e);
      }
    }
  }

  /** Refuses a chat format that omits tool results. */
  private static void showsResults(EnvSetup env, ChatFormat chat) {
    AgentTools agent = env.agent();
    if (agent == null || agent.tools().isEmpty()) {
      return;
    }
    String where = "custom_envs." + env.config().tag() + ".agent: the chat template ";
    String tool = agent.tools().getFirst().name();
    int[] yes;
    int[] no;
    try {
      yes = chat.between(new int[0], List.of(new Message("tool", "yes", tool)));
      no = chat.between(new int[0], List.of(new Message("tool", "no", tool)));
    } catch (UserException e) {
      throw new UserException(where + "cannot render a tool result: " + e.getMessage(), e);
    }
    if (Arrays.equals(yes, no)) {
      throw new UserException(where + "omits tool results");
    }
  }

  private ChatFormat chat(String template, Tokenizer tokenizer, Map<String, Object> kwargs) {
    try {
      return formats.find(template, tokenizer, kwargs);
    } catch (UserException e) {
      throw new UserException("data_args.template: " + e.getMessage(), e);
    }
  }

  private RolloutSetup setup(RolloutRequest request, RolloutChatFormats chatFormats) {
    var measure =
        new PromptLengthFilter.Measure(
            chatFormats.policy(),
            request.policy().tokenizer(),
            request.policy().template(),
            request.policy().chatTemplateKwargs(),
            request.policy().sequenceLength());
    return RolloutSetup.of(
        plugins, request.envs().manager(), request.envs().customEnvs(), lengthFilter, measure);
  }

  private RolloutChatFormats chatFormats(RolloutRequest request) {
    Map<String, ChatFormat> models = new LinkedHashMap<>();
    request
        .models()
        .forEach(
            (name, model) ->
                models.put(
                    name, chat(model.template(), model.tokenizer(), model.chatTemplateKwargs())));
    PolicyModel policy = request.policy();
    return new RolloutChatFormats(
        chat(policy.template(), policy.tokenizer(), policy.chatTemplateKwargs()), models);
  }

  @Override
  public CompletableFuture<RolloutResult> play(RolloutRequest request, RolloutListener listener) {
    CompletableFuture<RolloutResult> result = new CompletableFuture<>();
    try {
      RolloutChatFormats chatFormats = chatFormats(request);
      RolloutSetup setup = setup(request, chatFormats);
      RolloutHooks hooks = RolloutHooks.of(setup.player(), listener);
      SyncRollout rollout =
          new SyncRollout(request, setup.environments(), chatFormats, setup.filter(), hooks);
      Thread thread = start("rollout " + request.purpose(), () -> complete(result, rollout, setup));
      var unused = result.whenComplete((value, error) -> interruptIfCancelled(result, thread));
      return result;
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public RolloutStream stream(
      RolloutRequest request, double ahead, int steps, @Nullable Path resumed) {
    RolloutChatFormats chatFormats = chatFormats(request);
    RolloutSetup setup = setup(request, chatFormats);
    try {
      return new AsyncRollout(request, ahead, steps, setup, chatFormats, resumed)
          .start(work -> start("rollout stream " + request.purpose(), work));
    } catch (UserException e) {
      setup.close();
      throw e;
    }
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
    Thread thread = Thread.ofVirtual().name(name).unstarted(new OneShotTask(known));
    running.add(thread);
    thread.start();
    return thread;
  }

  private static void interruptIfCancelled(CompletableFuture<?> result, Thread thread) {
    if (result.isCancelled()) {
      thread.interrupt();
    }
  }

  private static void complete(
      CompletableFuture<RolloutResult> result, SyncRollout rollout, RolloutSetup setup) {
    RolloutResult played = null;
    Throwable failure = null;
    try (setup) {
      played = rollout.run();
    } catch (InterruptedException e) {
      failure = new CancellationException("the rollout was interrupted");
    } catch (Throwable e) { // reported by the future
      failure = e;
    }
    if (played != null) {
      result.complete(played); // after the leases are closed
    } else if (failure != null) {
      result.completeExceptionally(failure);
    }
  }

  /** Interrupts running rollouts; their futures fail. */
  @Deactivate
  void deactivate() {
    running.forEach(Thread::interrupt);
  }
}
