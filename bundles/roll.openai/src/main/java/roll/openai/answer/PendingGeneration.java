package roll.openai.answer;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;
import roll.api.strategy.TokenListener;
import roll.openai.request.GenerationSpec;

/**
 * The responses to one request while they are generated, as a queue of events. Closing cancels
 * responses that are not complete.
 */
final class PendingGeneration implements AutoCloseable {
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final CompletableFuture<List<Generation>> result;

  /** An event of the generation: a sampled token, completion or failure. */
  sealed interface Event {}

  /** A token was sampled for one response; the log-prob is at temperature 1. */
  record SampledToken(int response, int token, double logProb) implements Event {}

  /** Event: all responses are complete. */
  record Done(List<Generation> responses) implements Event {}

  /** The generation failed; there are no responses. */
  record Failed(Throwable failure) implements Event {}

  /** Starts the generation of {@code asked} with {@code generator}. */
  PendingGeneration(Generator generator, GenerationSpec asked) {
    result =
        asked.stream()
            ? generator.generate(asked.requests(), new Listener())
            : generator.generate(asked.requests());
    var unused =
        result.whenComplete(
            (responses, failure) ->
                events.add(failure == null ? done(responses) : new Failed(cause(failure))));
  }

  private final class Listener implements TokenListener {
    @Override
    public void sampled(int response, int token) {
      sampled(response, token, Double.NaN);
    }

    @Override
    public void sampled(int response, int token, double logProb) {
      events.add(new SampledToken(response, token, logProb));
    }
  }

  /**
   * Returns the event of complete responses: a failure if a log-prob is not finite, since the
   * tokens are meaningless then.
   */
  private static Event done(List<Generation> responses) {
    return responses.stream().allMatch(Generation::finite)
        ? new Done(responses)
        : new Failed(new ArithmeticException("the model's log-probs are not finite numbers"));
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Waits up to a second for the next event; null if there is none. */
  @Nullable Event next() throws InterruptedException {
    return events.poll(1, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    result.cancel(true);
  }
}
