package roll.cluster.services;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.RemoteCallException;
import roll.cluster.services.codec.ByteWriter;

/**
 * Registers what the other members offer of one contract as services of the first one, under the
 * property names of the Remote Services specification, while the member and its bundle are there.
 * Local services of the same name go first.
 *
 * @param <S> the contract
 */
public final class ImportedServices<S> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ImportedServices.class);

  private final BundleContext context;
  private final Membership membership;
  private final Contract<S> contract;
  private final Map<Long, Map<Long, ServiceRegistration<S>>> registered = new HashMap<>();

  /** Does one thing after the other. */
  private final ExecutorService thread;

  private final List<Registration> registrations;

  /**
   * What is imported.
   *
   * @param type the service interface
   * @param kind the service property that has the names
   * @param offers topic that asks a member for a list of {@link ServiceOffer}
   * @param changed topic by which a member tells that its offers are others now
   * @param members those that are asked
   * @param make a service of an offer
   */
  public record Contract<S>(
      Class<S> type,
      String kind,
      String offers,
      String changed,
      Predicate<Member> members,
      BiFunction<RemoteCalls, ServiceOffer, S> make) {}

  /** Registers what members offer; nothing where this is not the first. */
  public ImportedServices(BundleContext context, Membership membership, Contract<S> contract) {
    this.context = context;
    this.membership = membership;
    this.contract = contract;
    this.thread =
        Executors.newSingleThreadExecutor(
            work -> Thread.ofPlatform().daemon().name("roll-" + contract.offers).unstarted(work));
    this.registrations =
        List.of(
            membership.handle(
                contract.changed,
                (from, _) -> {
                  look(from);
                  return CompletableFuture.completedFuture(new byte[0]);
                }),
            membership.listen(this::happened));
  }

  private void happened(MemberEvent event) {
    switch (event) {
      case MemberEvent.Joined joined -> look(joined.member());
      case MemberEvent.Removed removed -> later(() -> put(removed.member(), List.of()));
      case MemberEvent.Unreachable _, MemberEvent.Reachable _ -> {}
    }
  }

  private void later(Runnable work) {
    try {
      thread.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed", e);
    }
  }

  /** Asks a member what it offers, if it is another one and this is the first. */
  private void look(Member member) {
    boolean first = membership.members().getFirst().uid() == membership.self().uid();
    boolean other = member.uid() != membership.self().uid();
    if (first && other && contract.members.test(member)) {
      later(
          () -> {
            try {
              RemoteCalls calls = new RemoteCalls(membership, member);
              put(
                  member,
                  RemoteCalls.await(
                      calls.ask(
                          contract.offers,
                          new ByteWriter(),
                          RemoteCalls.SHORT,
                          in -> in.list(ServiceOffer::read))));
            } catch (RemoteCallException e) {
              LOG.debug("{} tells when it can answer {}", member, contract.offers, e);
            } catch (RuntimeException e) {
              LOG.warn("{} does not answer {}: {}", member, contract.offers, e.getMessage());
            }
          });
    }
  }

  /** On the thread alone. */
  private void put(Member member, List<ServiceOffer> offers) {
    boolean there = membership.members().contains(member);
    Map<Long, ServiceRegistration<S>> before =
        registered.computeIfAbsent(member.uid(), _ -> new HashMap<>());
    List<ServiceOffer> now = there ? offers : List.of();
    List<Long> gone =
        before.keySet().stream()
            .filter(number -> now.stream().noneMatch(offer -> offer.number() == number))
            .toList();
    for (long number : gone) {
      ServiceRegistration<S> registration = before.remove(number);
      if (registration != null) {
        registration.unregister();
      }
    }
    for (ServiceOffer offer : now) {
      before.computeIfAbsent(offer.number(), _ -> register(member, offer));
    }
    if (before.isEmpty()) {
      registered.remove(member.uid());
    }
  }

  private ServiceRegistration<S> register(Member member, ServiceOffer offer) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(contract.kind, offer.names().toArray(String[]::new));
    properties.put("roll.node", member.name());
    properties.put("roll.node.bundle", offer.bundle());
    properties.put("service.imported", true);
    properties.put("service.imported.configs", new String[] {"roll.cluster"});
    properties.put("endpoint.framework.uuid", Long.toHexString(member.uid()));
    properties.put("endpoint.service.id", offer.number());
    properties.put("endpoint.id", member.name() + "/" + member.uid() + "/" + offer.number());
    properties.put(Constants.SERVICE_RANKING, Integer.MIN_VALUE);
    S service = contract.make.apply(new RemoteCalls(membership, member), offer);
    return context.registerService(contract.type, service, FrameworkUtil.asDictionary(properties));
  }

  /** Takes back what was registered. */
  @Override
  public void close() {
    registrations.forEach(Registration::close);
    thread.shutdown();
    try {
      if (!thread.awaitTermination(30, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
    registered.values().forEach(each -> each.values().forEach(ServiceRegistration::unregister));
  }
}
