package roll.cluster.services;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** A node that offers services of one kind, as the first node calls it. */
interface ServiceOffers {
  /** Returns the services that the node offers. */
  CompletableFuture<List<ServiceOffer>> offers();

  /** The first node, as nodes that offer services call it. */
  @ProviderType
  interface Changes {
    /** Announces that the offers of the calling node have changed. */
    void changed();
  }
}
