package roll.cluster.bundles;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.cluster.services.RemoteContract;

/** The first node, as nodes that fetch its bundles call it. */
interface BundleSource {
  /** First part of the topics of all messages about bundles. */
  String TOPICS = "bundles";

  /** Remote contract of calls to the first node. */
  RemoteContract<BundleSource> CONTRACT = new RemoteContract<>(TOPICS, BundleSource.class);

  /** Returns the bundles that a node lacks which has those with the names {@code present}. */
  CompletableFuture<List<BundleOffer>> offers(List<String> present);

  /** A node that fetches bundles, as the first node calls it. */
  @FunctionalInterface
  interface Follower {
    /** Remote contract of calls to a following node. */
    RemoteContract<Follower> CONTRACT = new RemoteContract<>(TOPICS, Follower.class);

    /** Announces that the bundles of the first node may have changed. */
    void changed();
  }
}
