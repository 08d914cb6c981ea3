package roll.cluster.services;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.cluster.Member;
import roll.cluster.Membership;

/**
 * Kind of services that nodes offer to the first one.
 *
 * @param type the service interface
 * @param property service property with the names
 * @param topics first part of the topics of messages about them
 */
public record ServiceKind<S>(Class<S> type, String property, String topics) {
  RemoteContract<ServiceOffers> offers() {
    return new RemoteContract<>(topics, ServiceOffers.class);
  }

  /** Asks {@code member} for the services of this kind that it offers. */
  public CompletableFuture<List<ServiceOffer>> offered(Membership membership, Member member) {
    return offers().of(membership, member, RemoteCalls.SHORT).offers();
  }

  RemoteContract<ServiceOffers.Changes> changes() {
    return new RemoteContract<>(topics, ServiceOffers.Changes.class);
  }
}
