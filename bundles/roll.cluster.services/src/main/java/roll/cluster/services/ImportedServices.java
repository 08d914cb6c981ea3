package roll.cluster.services;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
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
 * Registers services that other members offer as services of the first node, with the property
 * names of the Remote Services specification, as long as the member and its bundle are there. Local
 * services of the same name have precedence.
 *
 * @param <S> the service interface
 * @param <R> its implementation that calls a member
 */
public final class ImportedServices<S, R extends S> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ImportedServices.class);

  private record Imported<S, R>(R service, ServiceRegistration<S> registration) {}

  private record Follower<R>(Consumer<R> added, Consumer<R> removed) {}

  private final BundleContext context;
  private final Membership membership;
  private final ServiceKind<S> kind;
  private final BiFunction<Member, ServiceOffer, R> proxies;
  private final Map<Long, Map<Long, Imported<S, R>>> registered = new HashMap<>();
  private final List<R> services = new CopyOnWriteArrayList<>();
  private final List<Follower<R>> followers = new CopyOnWriteArrayList<>();

  /** Runs the registrations of imported services one after the other. */
  private final ExecutorService thread;

  private final List<Registration> registrations;

  /**
   * Registers offered services; does nothing on nodes other than the first.
   *
   * @param proxies makes a service of an offer
   */
  public ImportedServices(
      BundleContext context,
      Membership membership,
      ServiceKind<S> kind,
      BiFunction<Member, ServiceOffer, R> proxies) {
    this.context = context;
    this.membership = membership;
    this.kind = kind;
    this.proxies = proxies;
    this.thread =
        Executors.newSingleThreadExecutor(
            work -> Thread.ofPlatform().daemon().name("roll-" + kind.topics()).unstarted(work));
    this.registrations =
        List.of(
            kind.changes().serve(membership, from -> () -> refresh(from)),
            membership.listen(this::happened));
  }

  private void happened(MemberEvent event) {
    switch (event) {
      case MemberEvent.Joined joined -> refresh(joined.member());
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

  /** Asks another member for the services it offers, if this is the first node. */
  private void refresh(Member member) {
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

  /** Registers and removes services of {@code member}; runs on the thread alone. */
  private void put(Member member, List<ServiceOffer> offers) {
    boolean there = membership.members().contains(member);
    List<ServiceOffer> now = there ? offers : List.of();
    Map<Long, Imported<S, R>> own = registered.computeIfAbsent(member.uid(), _ -> new HashMap<>());
    own.entrySet()
        .removeIf(
            entry -> {
              boolean gone = now.stream().noneMatch(offer -> offer.number() == entry.getKey());
              if (gone) {
                unregister(entry.getValue());
              }
              return gone;
            });
    for (ServiceOffer offer : now) {
      own.computeIfAbsent(offer.number(), _ -> register(member, offer));
    }
    if (own.isEmpty()) {
      registered.remove(member.uid());
    }
  }

  private void unregister(Imported<S, R> imported) {
    services.remove(imported.service);
    imported.registration.unregister();
    followers.forEach(follower -> follower.removed.accept(imported.service));
  }

  private Imported<S, R> register(Member member, ServiceOffer offer) {
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
    R service = proxies.apply(member, offer);
    ServiceRegistration<S> registration =
        context.registerService(kind.type(), service, FrameworkUtil.asDictionary(properties));
    services.add(service);
    followers.forEach(follower -> follower.added.accept(service));
    return new Imported<>(service, registration);
  }

  /** Returns the services that are registered now. */
  public List<R> services() {
    return List.copyOf(services);
  }

  /**
   * Calls {@code added} for each service that is there, before this returns, and for later ones,
   * and {@code removed} when one goes, until the result is closed. One call runs at a time.
   */
  public Registration follow(Consumer<R> added, Consumer<R> removed) {
    Follower<R> follower = new Follower<>(added, removed);
    try {
      Future<?> begun =
          thread.submit(
              () -> {
                services.forEach(added);
                followers.add(follower);
              });
      begun.get();
    } catch (RejectedExecutionException e) {
      LOG.debug("closed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return () -> followers.remove(follower);
  }

  /** Unregisters the imported services. */
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
    registered.values().forEach(own -> own.values().forEach(this::unregister));
  }
}
