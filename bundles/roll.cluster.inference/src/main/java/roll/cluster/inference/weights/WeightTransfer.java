package roll.cluster.inference.weights;

import org.jspecify.annotations.Nullable;
import roll.cluster.Member;

/**
 * Takes weights from the node that has them to those that ask. They are pulled: who offers waits
 * for nobody.
 */
public interface WeightTransfer extends AutoCloseable {
  /** Offers {@code image} until {@link #withdraw}. */
  WeightOffer offer(WeightImage image);

  /** Ends an offer; who is pulling it fails. */
  void withdraw(WeightOffer offer);

  /**
   * Pulls what {@code from} offers; waits for it.
   *
   * @param before what was pulled last, for what did not change: where there are adapters, only
   *     they did; null for none
   * @throws roll.cluster.NodeLostException if the node is lost meanwhile
   */
  WeightImage pull(Member from, WeightOffer offer, @Nullable WeightImage before)
      throws InterruptedException;

  /** Ends all offers. */
  @Override
  void close();
}
