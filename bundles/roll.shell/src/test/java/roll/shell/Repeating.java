package roll.shell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;

/** A model that answers with its prompt, and notes what it is asked. */
public final class Repeating implements InferStrategy, InferSession {
  public final List<GenerationRequest> asked = new ArrayList<>();
  public final List<SessionConfig> opened = new ArrayList<>();

  /** Responses in place of the prompts, or null. */
  public @Nullable CompletableFuture<List<Generation>> answer;

  @Override
  public List<Option<?>> options() {
    return List.of();
  }

  @Override
  public InferSession open(SessionConfig config) {
    opened.add(config);
    return this;
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    asked.addAll(requests);
    return answer != null
        ? answer
        : CompletableFuture.completedFuture(requests.stream().map(Repeating::repeat).toList());
  }

  private static Generation repeat(GenerationRequest request) {
    double[] logProbs = new double[request.prompt().length];
    return new Generation(request.prompt(), logProbs, logProbs, false, 0);
  }

  /** Token t of a sample has log-prob −t / 2 and entropy t / 4. */
  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    double[] logProbs = new double[batch.tokens().length];
    double[] entropies = new double[batch.tokens().length];
    Arrays.setAll(logProbs, t -> batch.scored()[t] ? -t / 2.0 : 0);
    Arrays.setAll(entropies, t -> batch.scored()[t] ? t / 4.0 : 0);
    return CompletableFuture.completedFuture(new Scores(logProbs, entropies));
  }

  @Override
  public CompletableFuture<Void> update(WeightsHandle weights) {
    throw new IllegalStateException("a command trains nothing");
  }

  @Override
  public void close() {}
}
