package roll.cluster.inference.weights;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.WeightsHandle;
import roll.cluster.transfer.PublishedVersion;

/** A copy of weights that a {@link WeightChannel} offers to other nodes. */
public final class PublishedWeights implements WeightsHandle {
  final String channel;
  final long number;
  final WeightLayout layout;
  final PublishedVersion all;
  private final ReadableWeights copy;
  private final @Nullable PublishedVersion adapters;

  PublishedWeights(
      String channel,
      long number,
      WeightLayout layout,
      ReadableWeights copy,
      PublishedVersion all,
      @Nullable PublishedVersion adapters) {
    this.channel = channel;
    this.number = number;
    this.layout = layout;
    this.copy = copy;
    this.all = all;
    this.adapters = adapters;
  }

  @Override
  public long version() {
    return copy.version();
  }

  /** Returns the copy, which can be read until weights have been published twice more. */
  public ReadableWeights copy() {
    return copy;
  }

  /** Offers the weights no more, even to nodes that are pulling them. */
  void retire() {
    all.retire(Duration.ZERO);
    if (adapters != null) {
      adapters.retire(Duration.ZERO);
    }
  }
}
