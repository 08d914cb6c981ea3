package roll.cluster.inference.remote;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.strategy.InferStrategy;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.inference.codec.ByteWriter;
import roll.cluster.inference.codec.StrategyOffer;
import roll.cluster.inference.codec.Topics;
import roll.cluster.inference.server.Transfers;

/**
 * Registers the strategies of the other members as services of the first one, under the property
 * names of the Remote Services specification, while the member and its bundle are there. Local
 * services of the same name go first.
 */
@Component(
    name = "roll.cluster.inference.remote",
    immediate = true,
    service = {})
public final class RemoteStrategies {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteStrategies.class);

  private final BundleContext context;
  private final Membership membership;
  private final Transfers transfers;
  private final Map<Long, Map<Long, ServiceRegistration<InferStrategy>>> registered =
      new HashMap<>();

  /** Does one thing after the other. */
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> Thread.ofPlatform().daemon().name("roll-remote-strategies").unstarted(work));

  private final List<Registration> registrations;

  /** Registers what members offer; nothing where this is not the first. */
  @Activate
  public RemoteStrategies(
      BundleContext context, @Reference Membership membership, @Reference Transfers transfers) {
    this.context = context;
    this.membership = membership;
    this.transfers = transfers;
    this.registrations =
        List.of(
            membership.handle(
                Topics.CHANGED,
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
    if (first && member.uid() != membership.self().uid()) {
      later(
          () -> {
            try {
              RemoteCalls calls = new RemoteCalls(membership, member);
              put(
                  member,
                  RemoteCalls.await(
                      calls.ask(
                          Topics.STRATEGIES,
                          new ByteWriter(),
                          RemoteCalls.SHORT,
                          in -> in.list(StrategyOffer::read))));
            } catch (RuntimeException e) {
              LOG.warn("{} does not say which strategies it has: {}", member, e.getMessage());
            }
          });
    }
  }

  /** On the thread alone. */
  private void put(Member member, List<StrategyOffer> offers) {
    boolean there = membership.members().contains(member);
    Map<Long, ServiceRegistration<InferStrategy>> before =
        registered.computeIfAbsent(member.uid(), _ -> new HashMap<>());
    List<StrategyOffer> now = there ? offers : List.of();
    List<Long> gone =
        before.keySet().stream()
            .filter(number -> now.stream().noneMatch(offer -> offer.number() == number))
            .toList();
    for (long number : gone) {
      ServiceRegistration<InferStrategy> registration = before.remove(number);
      if (registration != null) {
        registration.unregister();
      }
    }
    for (StrategyOffer offer : now) {
      before.computeIfAbsent(offer.number(), _ -> register(member, offer));
    }
    if (before.isEmpty()) {
      registered.remove(member.uid());
    }
  }

  private ServiceRegistration<InferStrategy> register(Member member, StrategyOffer offer) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("roll.strategy", offer.names().toArray(String[]::new));
    properties.put("roll.node", member.name());
    properties.put("roll.node.bundle", offer.bundle());
    properties.put("service.imported", true);
    properties.put("service.imported.configs", new String[] {"roll.cluster"});
    properties.put("endpoint.framework.uuid", Long.toHexString(member.uid()));
    properties.put("endpoint.service.id", offer.number());
    properties.put("endpoint.id", member.name() + "/" + member.uid() + "/" + offer.number());
    properties.put(Constants.SERVICE_RANKING, Integer.MIN_VALUE);
    RemoteStrategy strategy =
        new RemoteStrategy(new RemoteCalls(membership, member), offer, transfers);
    return context.registerService(
        InferStrategy.class, strategy, FrameworkUtil.asDictionary(properties));
  }

  /** Takes back what was registered; ends what is open. */
  @Deactivate
  public void deactivate() {
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
