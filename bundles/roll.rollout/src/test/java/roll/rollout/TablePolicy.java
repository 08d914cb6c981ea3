package roll.rollout;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullMarked;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;

/**
 * A policy small enough to know by heart: it writes + with probability {@code up}, − otherwise, and
 * the end token, each drawn from the request's own stream. Temperature 0 takes the likelier sign.
 */
@NullMarked
public final class TablePolicy implements Generator {
  private final double up;
  final List<List<GenerationRequest>> calls = new CopyOnWriteArrayList<>();

  public TablePolicy(double up) {
    this.up = up;
  }

  /** The number of requests that came at once, at most. */
  public int largestCall() {
    return calls.stream().mapToInt(List::size).max().orElse(0);
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    synchronized (calls) {
      calls.add(List.copyOf(requests));
    }
    return CompletableFuture.supplyAsync(() -> requests.stream().map(this::respond).toList());
  }

  private Generation respond(GenerationRequest request) {
    double drawn =
        request.sampling().temperature() == 0
            ? 0.5
            : new SplittableRandom(request.seed()).nextDouble();
    boolean plus = drawn < up;
    int[] tokens = {plus ? '+' : '-', CharTokenizer.END};
    double[] logProbs = {Math.log(plus ? up : 1 - up), -0.0625};
    int length = Math.min(tokens.length, request.sampling().maxNewTokens());
    double[] written = Arrays.copyOf(logProbs, length);
    return new Generation(Arrays.copyOf(tokens, length), written, written, length == 2, 7);
  }
}
