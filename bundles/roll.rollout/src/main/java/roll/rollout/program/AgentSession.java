package roll.rollout.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import roll.openai.request.ApiException;
import roll.openai.request.ChatMessages;
import roll.openai.request.GenerationSpec;
import roll.rollout.prompt.PromptSettings;
import roll.rollout.supervise.EnvironmentException;

/**
 * What a program asks in one episode. Questions come from any threads at once; they are answered on
 * the episode's own thread, one after the other in the order in which they come, and each is a
 * branch of its own.
 */
final class AgentSession {
  /** So often the output of a program is looked at, in nanoseconds. */
  private static final long LOOK = 1_000_000_000;

  private final EpisodeContext context;
  private final AgentHistory history;
  private final @Nullable RunTools tools;
  private final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean full;
  private volatile boolean closed;

  /** Something for the episode's thread to do. */
  private sealed interface Job {}

  /** A question to answer. */
  private record Asked(
      CapturedAnswer.Question question,
      GenerationSpec spec,
      CompletableFuture<List<Generation>> answer)
      implements Job {}

  /** The program has ended. */
  private record Ended() implements Job {}

  /**
   * Of an episode of {@code context}.
   *
   * @param tools of the run that the program may call, or null
   */
  AgentSession(EpisodeContext context, @Nullable RunTools tools) {
    this.context = context;
    this.tools = tools;
    this.history = new AgentHistory(context.model().chat(), context.model().tokenizer());
  }

  /** The model. */
  ModelContext model() {
    return context.model();
  }

  /** Tools of the run, or null. */
  @Nullable RunTools tools() {
    return tools;
  }

  /** All that was answered. */
  AgentHistory history() {
    return history;
  }

  /** Whether a question was refused since there was no room for it. */
  boolean full() {
    return full;
  }

  /**
   * The question that {@code said} is.
   *
   * @param variables of the chat template, over those of the run
   * @throws ApiException if the episode is over, or there is no room for an answer
   */
  CapturedAnswer.Question ask(ChatMessages said, Map<String, Object> variables) {
    open();
    int most = context.config().limits().maxSteps();
    if (asked.incrementAndGet() > most) {
      String message = "An episode may have %d requests, as max_steps says.".formatted(most);
      throw ApiException.ended("messages", message, "max_steps");
    }
    CapturedAnswer.Question question = history.ask(said, variables);
    int length = question.tokens().length;
    if (length >= model().sequenceLength()) {
      full = true;
      String message =
          "The messages have %d tokens, and sequence_length is %d."
              .formatted(length, model().sequenceLength());
      throw ApiException.ended("messages", message, "max_length");
    }
    return question;
  }

  private void open() {
    if (closed) {
      throw over();
    }
  }

  /** The refusal of whoever asks when the episode has ended. */
  static ApiException over() {
    return ApiException.status(410, "The episode of this key is over.", "episode_over");
  }

  /** The responses to {@code question}, as many as {@code spec} wants. */
  CompletableFuture<List<Generation>> answer(
      CapturedAnswer.Question question, GenerationSpec spec) {
    Asked job = new Asked(question, spec, new CompletableFuture<>());
    jobs.add(job);
    open();
    return job.answer();
  }

  /**
   * Answers, on the episode's thread, until {@code run} has ended.
   *
   * @param timeout seconds that it may take beside the time in which it waits for answers
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
      if (job instanceof Asked question) {
        answer(question);
      } else if (job == null && left <= 0) {
        throw EnvironmentException.late("the program", timeout);
      }
    }
  }

  private void answer(Asked job) throws InterruptedException {
    List<Generation> responses = new ArrayList<>();
    try {
      int choices = job.spec().requests().size();
      for (int i = 0; i < choices && !job.answer().isDone(); i++) {
        int turn = history.answers().size();
        Prompt prompt = new Prompt(job.question().tokens(), job.question().shown());
        Generation response = model().policy().respond(prompt, sampling(job.spec()), turn);
        List<String> stops = job.spec().sampling().stopStrings();
        history.add(job.question(), response, stops, job.spec().toolCalls());
        responses.add(response);
      }
      job.answer().complete(responses);
    } catch (CancellationException | InterruptedException e) { // no failure: it is called off
      job.answer().completeExceptionally(over());
      throw e;
    } catch (Throwable e) { // the program is told, the run too
      job.answer().completeExceptionally(e);
      throw e;
    }
  }

  /** As the run draws, within the limits of the client. */
  private Sampling sampling(GenerationSpec spec) {
    Sampling run = model().sampling();
    List<String> stops = new ArrayList<>(run.stopStrings());
    stops.addAll(spec.sampling().stopStrings());
    int most = Math.min(spec.sampling().maxNewTokens(), PromptSettings.longestResponse(context));
    return run.withMaxNewTokens(most).withStopStrings(stops);
  }

  /** Refuses what is asked from now on. */
  void close() {
    closed = true;
    for (@Nullable Job job = jobs.poll(); job != null; job = jobs.poll()) {
      if (job instanceof Asked question) {
        question.answer().completeExceptionally(over());
      }
    }
  }
}
