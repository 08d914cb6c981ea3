package roll.cluster.services;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ProviderType;

/** What a node tells others of its services of one kind. */
interface ServiceOffers {
  /** What it offers now. */
  CompletableFuture<List<ServiceOffer>> offers();

  /** Hears on the first node that a member offers other services now. */
  @ProviderType
  interface Changes {
    /** It does. */
    void changed();
  }
}
