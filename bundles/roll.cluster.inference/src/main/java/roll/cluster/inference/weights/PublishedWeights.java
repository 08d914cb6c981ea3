package roll.cluster.inference.weights;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Weights;
import roll.cluster.transfer.Publication;

/** A copy of weights that a {@link WeightChannel} offers to other nodes. */
public final class PublishedWeights implements Weights {
  private final String channel;
  private final long number;
  private final WeightLayout layout;
  private final ReadableWeights copy;
  private final Publication all;
  private final @Nullable Publication adapters;

  PublishedWeights(
      String channel,
      long number,
      WeightLayout layout,
      ReadableWeights copy,
      Publication all,
      @Nullable Publication adapters) {
    this.channel = channel;
    this.number = number;
    this.layout = layout;
    this.copy = copy;
    this.all = all;
    this.adapters = adapters;
  }

  String channel() {
    return channel;
  }

  long number() {
    return number;
  }

  WeightLayout layout() {
    return layout;
  }

  @Override
  public long version() {
    return copy.version();
  }

  /** The copy itself, to be read until weights have been published twice more. */
  public ReadableWeights copy() {
    return copy;
  }

  /** Bytes of the copy, all parameters. */
  public long bytes() {
    return all.manifest().bytes();
  }

  /** Completes when nobody reads the copy any more. */
  CompletableFuture<Boolean> released() {
    return all.released().thenApply(_ -> true);
  }

  /** Offers it no more, whoever is pulling it. */
  void retire() {
    all.retire(Duration.ZERO);
    if (adapters != null) {
      adapters.retire(Duration.ZERO);
    }
  }
}
