package roll.cluster.services;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.cluster.Member;
import roll.cluster.Membership;

/**
 * Services that nodes offer to the first one.
 *
 * @param type the service interface
 * @param property the service property that has their names
 * @param topics what the topics of messages about them begin with
 */
public record ServiceKind<S>(Class<S> type, String property, String topics) {
  RemoteContract<ServiceOffers> offers() {
    return new RemoteContract<>(topics, ServiceOffers.class);
  }

  /** What {@code member} offers now. */
  public CompletableFuture<List<ServiceOffer>> offered(Membership membership, Member member) {
    return offers().of(membership, member, RemoteCalls.SHORT).offers();
  }

  RemoteContract<ServiceOffers.Changes> changes() {
    return new RemoteContract<>(topics, ServiceOffers.Changes.class);
  }
}
