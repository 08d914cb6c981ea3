package roll.rollout;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.agent.AgentKit;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.plugin.Errand;
import roll.api.plugin.Plugins;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.pipeline.RolloutListener;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;
import roll.runtime.pipeline.Rollouts;

/**
 * Plays rollouts with the environments and managers that are there when a rollout begins: a
 * replaced one is used from the next rollout on.
 */
@Component(name = "roll.rollout")
public final class RolloutService implements Rollouts {
  private final ChatFormats formats;
  private final Plugins plugins;
  private final Fitting fitting = new Fitting();
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /** A service with these plugins. */
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
      int sequenceLength) {
    ChatFormat chat = chat(template, tokenizer);
    var measure = new Fitting.Measure(chat, tokenizer, template, sequenceLength);
    try (Staging staging = Staging.of(plugins, envs, customEnvs, fitting, measure)) {
      staging.stages().values().forEach(stage -> check(stage, chat));
      if (sequenceLength < Integer.MAX_VALUE) {
        FirstTurn first = new FirstTurn(chat, tokenizer, envs.sampling(), sequenceLength);
        staging.stages().values().forEach(first::check);
      }
    }
  }

  private static void check(Stage stage, ChatFormat chat) {
    listsTools(stage, chat);
    stage.answersAreKnown();
  }

  /** Tried once, so that a format which lists no tools says so before anything is played. */
  private static void listsTools(Stage stage, ChatFormat chat) {
    AgentKit agent = stage.agent();
    if (agent != null && !agent.listed().isEmpty()) {
      try {
        var unused = chat.opening(List.of(new Message("user", "?")), agent.listed());
      } catch (UserException e) {
        throw new UserException(
            "custom_envs." + stage.config().tag() + ".agent.agent_type: " + e.getMessage(), e);
      }
    }
  }

  /** A chat template does not let the model think before it answers, as in ROLL. */
  private ChatFormat chat(String template, Tokenizer tokenizer) {
    try {
      return formats.find(template, tokenizer, Map.of("enable_thinking", false));
    } catch (UserException e) {
      throw new UserException("data_args.template: " + e.getMessage(), e);
    }
  }

  private Staging staging(RolloutRequest request, Chats chats) {
    var measure =
        new Fitting.Measure(
            chats.policy(), request.tokenizer(), request.template(), request.sequenceLength());
    return Staging.of(plugins, request.envs(), request.customEnvs(), fitting, measure);
  }

  private Chats chats(RolloutRequest request) {
    Map<String, ChatFormat> models = new LinkedHashMap<>();
    request
        .models()
        .forEach((name, model) -> models.put(name, chat(model.template(), model.tokenizer())));
    return new Chats(chat(request.template(), request.tokenizer()), models);
  }

  @Override
  public CompletableFuture<RolloutResult> play(RolloutRequest request, RolloutListener listener) {
    CompletableFuture<RolloutResult> result = new CompletableFuture<>();
    try {
      Chats chats = chats(request);
      Staging staging = staging(request, chats);
      Cast cast = Cast.of(staging.player(), listener);
      Play play = new Play(request, staging.stages(), chats, staging.filter(), cast);
      Thread thread = start("rollout " + request.purpose(), () -> complete(result, play, staging));
      var unused = result.whenComplete((value, error) -> interruptIfCancelled(result, thread));
      return result;
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public RolloutStream stream(RolloutRequest request, double ahead, int steps) {
    Chats chats = chats(request);
    Staging staging = staging(request, chats);
    return new Stream(request, ahead, steps, staging, chats)
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
    Thread thread = Thread.ofVirtual().name(name).unstarted(new Errand(known));
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
      CompletableFuture<RolloutResult> result, Play play, Staging staging) {
    RolloutResult played = null;
    Throwable failure = null;
    try (staging) {
      played = play.run();
    } catch (InterruptedException e) {
      failure = new CancellationException("the rollout was interrupted");
    } catch (Throwable e) { // nobody else would ever hear of it
      failure = e;
    }
    if (played != null) {
      result.complete(played); // whoever waits finds the plugins given back
    } else if (failure != null) {
      result.completeExceptionally(failure);
    }
  }

  /** Ends the rollouts that still run; their futures fail. */
  @Deactivate
  void deactivate() {
    running.forEach(Thread::interrupt);
  }
}
