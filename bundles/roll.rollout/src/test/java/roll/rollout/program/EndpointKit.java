package roll.rollout.program;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;
import roll.api.config.AgentRunnerConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Prompt;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;
import roll.rollout.chat.RenderedChatFormat;
import roll.rollout.supervise.EpisodeTrace;

/** An endpoint and one session of it, whose program is a test; the policy says "hi". */
@NullMarked
final class EndpointKit implements AutoCloseable, Executor {
  static final int LENGTH = 200;
  static final int STEPS = 8;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http = HttpClient.newBuilder().executor(threads).build();
  private final AgentEndpoint endpoint = new AgentEndpoint(ChatKit.dialects());
  private final AtomicInteger now = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final List<Sampling> drawn = Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean calledOff;
  private final ChatFormat format;
  private final int length;
  private final int steps;
  private final int pause;
  private final AgentSession session;
  private final String key;

  EndpointKit() {
    this(EpisodeTrace.none());
  }

  /** A session whose episode has the spans {@code trace}. */
  EndpointKit(EpisodeTrace trace) {
    this(RenderedChatFormat.chatMl(ChatKit.TOKENIZER), LENGTH, STEPS, 5, trace);
  }

  /**
   * Creates an endpoint.
   *
   * @param format of conversations
   * @param length maximum tokens of prompt and response
   * @param steps one more than the maximum number of requests of an episode
   * @param pause milliseconds of a response
   */
  EndpointKit(ChatFormat format, int length, int steps, int pause) {
    this(format, length, steps, pause, EpisodeTrace.none());
  }

  private EndpointKit(ChatFormat format, int length, int steps, int pause, EpisodeTrace trace) {
    this.format = format;
    this.length = length;
    this.steps = steps;
    this.pause = pause;
    session = new AgentSession(context(), null, trace);
    key = endpoint.open(session);
  }

  private EpisodeContext context() {
    EnvConfig config =
        new EnvConfig(
            "A",
            "none",
            "program",
            EnvLimits.steps(steps - 1),
            PromptConfig.of("{observation}"),
            Map.of(),
            List.of(),
            null,
            new AgentRunnerConfig(List.of("none"), Map.of(), 10, 0, false));
    return new EpisodeContext(
        config,
        Scenario.of(
            "",
            seed -> {
              throw new AssertionError("no world");
            }),
        new ModelContext(format, ChatKit.TOKENIZER, this::respond, Sampling.of(16), length),
        new TrajectoryKey("A", 0, 0, 0, 2),
        EpisodeStart.of(2),
        null,
        Recorder.NONE);
  }

  private Generation respond(Prompt prompt, Sampling sampling, int turn)
      throws InterruptedException {
    if (calledOff) {
      throw new CancellationException("enough");
    }
    most.accumulateAndGet(now.incrementAndGet(), Math::max);
    drawn.add(sampling);
    turns.add(turn);
    Thread.sleep(pause);
    now.decrementAndGet();
    return ChatKit.drawn("hi");
  }

  /** From now on the rollout needs the episode no longer when its policy is asked. */
  void callOff() {
    calledOff = true;
  }

  /** Another episode with a key of its own. */
  record Seat(AgentSession session, String key) {}

  /** Opens another episode. */
  Seat open() {
    AgentSession opened = new AgentSession(context(), null, EpisodeTrace.none());
    return new Seat(opened, endpoint.open(opened));
  }

  /** Serves on this thread while {@code program} runs on another. */
  <T> T playing(Callable<T> program) throws Exception {
    return playing(session, program);
  }

  /** Serves the requests of {@code served} on this thread while {@code program} runs. */
  <T> T playing(AgentSession served, Callable<T> program) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            result.complete(program.call());
          } catch (Throwable e) { // thrown below
            result.completeExceptionally(e);
          }
        });
    served.serve(new Program(result), 60);
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  /** A program that has ended when its result is there. */
  private record Program(CompletableFuture<?> done) implements AgentRun {
    @Override
    public void onEnd(Runnable then) {
      var unused = done.whenComplete((end, failure) -> then.run());
    }

    @Override
    public boolean runs() {
      return !done.isDone();
    }

    @Override
    public AgentResult result() {
      return AgentResult.NONE;
    }

    @Override
    public void close() {}
  }

  HttpResponse<String> ask(String by, String body) {
    return ask("/chat/completions", by.isEmpty() ? "" : "Bearer " + by, body);
  }

  /** Posts {@code body} to {@code path}; a key that does not begin with Bearer is x-api-key. */
  HttpResponse<String> ask(String path, String by, String body, String... headers) {
    return send("POST", path, by, BodyPublishers.ofString(body), headers);
  }

  /** Sends a request without a body. */
  HttpResponse<String> send(String method, String path, String by) {
    return send(method, path, by, BodyPublishers.noBody());
  }

  private HttpResponse<String> send(
      String method, String path, String by, HttpRequest.BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Content-Type", "application/json")
            .method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (!by.isEmpty()) {
      request.header(by.startsWith("Bearer ") ? "Authorization" : "x-api-key", by);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The content of the first choice of {@code answer}. */
  static String said(String answer) {
    return JsonParser.parseString(answer)
        .getAsJsonObject()
        .getAsJsonArray("choices")
        .get(0)
        .getAsJsonObject()
        .getAsJsonObject("message")
        .get("content")
        .getAsString();
  }

  /** Ends the episode. */
  void end() {
    endpoint.end(key);
  }

  String key() {
    return key;
  }

  String url() {
    return endpoint.url();
  }

  int port() {
    return URI.create(url()).getPort();
  }

  AgentSession session() {
    return session;
  }

  /** The number of responses were drawn at once, at most. */
  int mostAtOnce() {
    return most.get();
  }

  /** The state of the first response was drawn. */
  Sampling sampling() {
    return drawn.getFirst();
  }

  /** Numbers of the responses. */
  int[] turns() {
    return turns.stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }

  @Override
  public void close() {
    endpoint.close();
    http.shutdownNow();
    threads.shutdownNow();
  }
}
