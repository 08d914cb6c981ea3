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

/** Responses on their way: what happens, in order. Closing gives up what is not written yet. */
final class PendingGeneration implements AutoCloseable {
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final CompletableFuture<List<Generation>> result;

  /** What happens. */
  sealed interface Event {}

  /** A token of one response was drawn; its log-prob is that at temperature 1. */
  record Drawn(int response, int token, double logProb) implements Event {}

  /** All responses are there. */
  record Done(List<Generation> responses) implements Event {}

  /** There will be none. */
  record Failed(Throwable failure) implements Event {}

  /** Asks {@code generator} for what {@code asked} says. */
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
      events.add(new Drawn(response, token, logProb));
    }
  }

  /** Of a model whose log-probs are no numbers, what was drawn is no answer. */
  private static Event done(List<Generation> responses) {
    return responses.stream().allMatch(Generation::finite)
        ? new Done(responses)
        : new Failed(new ArithmeticException("the model's log-probs are not finite numbers"));
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** What happens next; null where nothing does within a second. */
  @Nullable Event next() throws InterruptedException {
    return events.poll(1, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    result.cancel(true);
  }
}
