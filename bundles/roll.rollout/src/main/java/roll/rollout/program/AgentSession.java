package roll.rollout.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;
import roll.openai.dialect.StoredConversations;
import roll.openai.request.ApiException;
import roll.openai.request.ChatCall;
import roll.openai.request.GenerationSpec;
import roll.rollout.prompt.PromptSettings;
import roll.rollout.supervise.EnvironmentException;
import roll.rollout.supervise.EpisodeTrace;
import roll.runtime.trace.Span;
import roll.text.call.HermesParser;

/**
 * The requests of a program in one episode. They arrive on any thread and are answered on the
 * thread of the episode, one at a time in order of arrival.
 */
final class AgentSession {
  /** Nanoseconds between checks of the program. */
  private static final long LOOK = 1_000_000_000;

  private final EpisodeContext context;
  private final AgentHistory history;
  private final EpisodeTrace trace;
  private final @Nullable RunTools tools;
  private final StoredConversations conversations = new StoredConversations();
  private final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean full;
  private volatile boolean exhausted;
  private volatile boolean closed;

  /** A job for the thread of the episode. */
  private sealed interface Job {}

  /** A request to be answered. */
  private record Asked(
      CapturedCompletion.Request request,
      GenerationSpec spec,
      Span span,
      CompletableFuture<List<Generation>> answer)
      implements Job {}

  /** Job: the agent program has ended. */
  private record Ended() implements Job {}

  /**
   * Creates a session for the episode of {@code context}.
   *
   * @param tools tools that the program may call, or null
   * @param trace the spans of the episode
   */
  AgentSession(EpisodeContext context, @Nullable RunTools tools, EpisodeTrace trace) {
    this.context = context;
    this.tools = tools;
    this.trace = trace;
    this.history = new AgentHistory(context.model().chat(), context.model().tokenizer());
  }

  /** Returns the model that answers the agent program. */
  ModelContext model() {
    return context.model();
  }

  /** Returns the tools that the program may call, or null. */
  @Nullable RunTools tools() {
    return tools;
  }

  /** Returns the spans of the episode. */
  EpisodeTrace trace() {
    return trace;
  }

  /** Returns the requests and completions of the episode. */
  AgentHistory history() {
    return history;
  }

  /** Returns the conversations that the program may continue by an id. */
  StoredConversations conversations() {
    return conversations;
  }

  /** Returns whether a request was refused because it filled the sequence length. */
  boolean full() {
    return full;
  }

  /** Returns whether a request was refused because no room or no requests were left. */
  boolean exhausted() {
    return exhausted;
  }

  /**
   * Tokenizes the messages of the request {@code call}.
   *
   * @throws ApiException if the episode is over, or there is no room for a response
   */
  CapturedCompletion.Request ask(ChatCall call) {
    open();
    int most = context.config().limits().maxSteps();
    if (asked.incrementAndGet() > most) {
      exhausted = true;
      String message = "An episode may have %d requests, as max_steps says.".formatted(most);
      throw ApiException.ended("messages", message, "max_steps");
    }
    CapturedCompletion.Request request = history.ask(call.said(), call.variables(), call.prefix());
    int length = request.tokens().length;
    if (length >= model().sequenceLength()) {
      full = true;
      exhausted = true;
      String message =
          "The messages have %d tokens, and sequence_length is %d."
              .formatted(length, model().sequenceLength());
      throw ApiException.ended("messages", message, "max_length");
    }
    return request;
  }

  private void open() {
    if (closed) {
      throw over();
    }
  }

  /** Returns the error for a request after the end of the episode. */
  static ApiException over() {
    return ApiException.status(410, "The episode of this key is over.", "episode_over");
  }

  /**
   * Queues a request and returns its responses, one per choice of {@code spec}.
   *
   * @param span of the request
   */
  CompletableFuture<List<Generation>> answer(
      CapturedCompletion.Request request, GenerationSpec spec, Span span) {
    Asked job = new Asked(request, spec, span, new CompletableFuture<>());
    jobs.add(job);
    open();
    return job.answer();
  }

  /**
   * Answers requests, on the thread of the episode, until {@code run} has ended.
   *
   * @param timeout maximum seconds, without the time spent on responses
   * @throws EnvironmentException if it takes longer
   */
  void serve(AgentRun run, double timeout) throws InterruptedException {
    run.onEnd(() -> jobs.add(new Ended()));
    long left = (long) (timeout * 1e9);
    while (run.runs()) {
      long since = System.nanoTime();
      Job job = jobs.poll(Math.min(left, LOOK), TimeUnit.NANOSECONDS);
      left -= System.nanoTime() - since;
      run.look();
      if (job instanceof Asked request) {
        answer(request);
      } else if (job == null && left <= 0) {
        throw EnvironmentException.late("the program", timeout);
      }
    }
  }

  private void answer(Asked job) throws InterruptedException {
    List<Generation> responses = new ArrayList<>();
    trace.answers(job.span());
    try {
      int choices = job.spec().requests().size();
      for (int i = 0; i < choices && !job.answer().isDone(); i++) {
        int turn = history.completions().size();
        Prompt prompt = new Prompt(job.request().tokens(), job.request().shown());
        Generation response = model().policy().respond(prompt, sampling(job.spec()), turn);
        List<String> stops = job.spec().sampling().stopStrings();
        history.add(job.request(), response, stops, job.spec().toolCalls());
        responses.add(response);
      }
      job.answer().complete(responses);
    } catch (CancellationException | InterruptedException e) { // canceled, not failed
      job.answer().completeExceptionally(over());
      throw e;
    } catch (Throwable e) { // reported to the program and to the run
      job.answer().completeExceptionally(e);
      throw e;
    } finally {
      trace.answers(null);
    }
  }

  /** Returns the sampling settings of the run, within the limits of the client. */
  private Sampling sampling(GenerationSpec spec) {
    Sampling run = model().sampling();
    List<String> stops = new ArrayList<>(run.stopStrings());
    stops.addAll(spec.sampling().stopStrings());
    if (spec.oneCall()) {
      stops.add(HermesParser.CLOSE); // a later call would be trained but not sent
    }
    int most = Math.min(spec.sampling().maxNewTokens(), PromptSettings.longestResponse(context));
    return run.withMaxNewTokens(most).withStopStrings(stops);
  }

  /** Refuses pending and later requests. */
  void close() {
    closed = true;
    for (@Nullable Job job = jobs.poll(); job != null; job = jobs.poll()) {
      if (job instanceof Asked request) {
        request.answer().completeExceptionally(over());
      }
    }
  }
}
