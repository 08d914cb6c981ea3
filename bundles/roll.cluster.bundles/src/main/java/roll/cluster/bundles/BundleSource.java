package roll.cluster.bundles;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.cluster.services.RemoteContract;

/** The first node, which has bundles, as others that lack them call it. */
interface BundleSource {
  /** What is called. */
  RemoteContract<BundleSource> CONTRACT = new RemoteContract<>("bundles", BundleSource.class);

  /** The most bytes of a part. */
  int PART = 4 << 20;

  /** The bundles that a node with bundles of the names {@code present} lacks. */
  CompletableFuture<List<BundleOffer>> offers(List<String> present);

  /** The part of the jar with that digest that begins at {@code first}. */
  CompletableFuture<byte[]> read(String digest, long first);

  /** A node that follows the first one. */
  @FunctionalInterface
  interface Follower {
    /** What is called. */
    RemoteContract<Follower> CONTRACT = new RemoteContract<>("bundles", Follower.class);

    /** The bundles may be others now. */
    void changed();
  }
}
