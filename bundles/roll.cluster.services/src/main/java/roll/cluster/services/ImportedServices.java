package roll.cluster.services;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
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
  private final ServiceKind<S> kind;
  private final BiFunction<Member, ServiceOffer, S> make;
  private final Map<Long, Map<Long, ServiceRegistration<S>>> registered = new HashMap<>();

  /** Does one thing after the other. */
  private final ExecutorService thread;

  private final List<Registration> registrations;

  /**
   * Registers what members offer; nothing where this is not the first.
   *
   * @param make a service of what a member offers
   */
  public ImportedServices(
      BundleContext context,
      Membership membership,
      ServiceKind<S> kind,
      BiFunction<Member, ServiceOffer, S> make) {
    this.context = context;
    this.membership = membership;
    this.kind = kind;
    this.make = make;
    this.thread =
        Executors.newSingleThreadExecutor(
            work -> Thread.ofPlatform().daemon().name("roll-" + kind.topics()).unstarted(work));
    this.registrations =
        List.of(
            kind.changes().serve(membership, from -> () -> look(from)),
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
    if (first && other) {
      later(
          () -> {
            try {
              put(member, RemoteCalls.await(kind.offered(membership, member)));
            } catch (RemoteCallException e) {
              LOG.debug("{} tells when it can answer", member, e);
            } catch (RuntimeException e) {
              LOG.warn("{} does not say what it offers: {}", member, e.getMessage());
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
    properties.put(kind.property(), offer.names().toArray(String[]::new));
    properties.put("roll.node", member.name());
    properties.put("roll.node.bundle", offer.bundle());
    properties.put("service.imported", true);
    properties.put("service.imported.configs", new String[] {"roll.cluster"});
    properties.put("endpoint.framework.uuid", Long.toHexString(member.uid()));
    properties.put("endpoint.service.id", offer.number());
    properties.put("endpoint.id", member.name() + "/" + member.uid() + "/" + offer.number());
    properties.put(Constants.SERVICE_RANKING, Integer.MIN_VALUE);
    S service = make.apply(member, offer);
    return context.registerService(kind.type(), service, FrameworkUtil.asDictionary(properties));
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
